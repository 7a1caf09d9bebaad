//! Tests of reading runs: real archives, and the ways in which archives are incomplete.
#![expect(clippy::unwrap_used, reason = "a test that cannot make its files must stop")]

use std::fs;

use expect_test::expect;
use porthole_core::results::{Counts, Status};
use serde_json::Value;

use super::*;
use crate::cluster::archive::{ArchiveBounds, visit};

/// Returns the folder of real data, or says that it is absent.
fn truth() -> Option<PathBuf> {
    let folder = std::env::var_os("PORTHOLE_TRUTH")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/truth"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    #[expect(clippy::print_stderr, reason = "a skipped test must say so")]
    {
        eprintln!("skipped: {} is absent", folder.display());
    }
    None
}

fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

fn print(path: &Path, selection: &Selection<'_>) -> (String, Vec<String>) {
    let mut archive = RunArchive::read(path, selection).unwrap();
    let mut text = Vec::new();
    archive.print(selection.output, Prefix::Names, &mut text).unwrap();
    (String::from_utf8(text).unwrap(), archive.warnings().to_vec())
}

/// Returns a folder with these files.
fn run(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

#[track_caller]
fn check_totals(item: &Item, expected: &Value) {
    let counts = Counts::of(item);
    let number = |key: &str| expected[key].as_u64().unwrap();
    assert_eq!(item.status.as_str(), expected["status"].as_str().unwrap_or("passed"), "{}", item.name);
    assert_eq!(counts.get(&Status::Passed), number("passed"), "{}", item.name);
    assert_eq!(counts.failures(), number("failed"), "{}", item.name);
    assert_eq!(counts.get(&Status::Skipped), number("skipped"), "{}", item.name);
}

#[test]
fn a_real_archive_with_failures_reports_what_sonobuoy_reports() {
    let Some(folder) = truth().map(|truth| truth.join("tarballs")) else { return };
    let expected = json(&folder.join("expected.json"));
    let path = folder.join(expected["file"].as_str().unwrap());
    for mode in [Mode::Strict, Mode::SonobuoyCompat] {
        let archive = RunArchive::read(&path, &Selection { mode, ..Selection::default() }).unwrap();
        for (item, expected) in archive.items().zip(expected["plugins"].as_array().unwrap()) {
            assert_eq!(item.name, expected["name"].as_str().unwrap());
            check_totals(item, expected);
            let mut failed = Vec::new();
            item.for_each_leaf(&mut |_, leaf| {
                if leaf.status.is_failure() {
                    failed.push(Value::from(leaf.name.as_str()));
                }
            });
            assert_eq!(Value::from(failed), expected["failed_tests_in_order"]);
        }
    }
    let (text, _) = print(&path, &Selection::default());
    assert!(text.ends_with("\n\nRun Details:\nAPI Server version: \nNode health: 0/0\n"), "{text}");
    let e2e = Selection { plugin: Some("e2e"), ..Selection::default() };
    let archive = RunArchive::read(&path, &e2e).unwrap();
    let item = archive.items().next().unwrap();
    let mut failures = Vec::new();
    let mut passed = Vec::new();
    item.for_each_leaf(&mut |_, leaf| {
        if leaf.status == Status::Failed {
            failures.push((leaf.name.clone(), leaf.details["failure"].clone()));
        } else if leaf.status == Status::Passed {
            passed.push(leaf.name.clone());
        }
    });
    for (found, expected) in failures.iter().zip(expected["e2e_failures"].as_array().unwrap()) {
        assert_eq!((&Value::from(found.0.as_str()), &found.1), (&expected["name"], &expected["failure"]));
    }
    passed.sort();
    assert_eq!(Value::from(passed), expected["e2e_passed"]);
}

#[test]
fn three_generations_of_clusters_give_their_totals() {
    let Some(folder) = truth().map(|truth| truth.join("clusters")) else { return };
    for name in ["flannel-1.13", "cilium-1.18", "calico-1.27"] {
        let expected = json(&folder.join(name).join("expected.json"));
        let path = folder.join(name).join(format!("{name}.tar.gz"));
        let archive = RunArchive::read(&path, &Selection::default()).unwrap();
        let (_, junit) = expected["junit"].as_object().unwrap().iter().next().unwrap();
        let e2e = archive.items().find(|item| item.name == "e2e").unwrap();
        check_totals(e2e, junit);
        assert_eq!(Counts::of(e2e).total(), junit["testcases"].as_u64().unwrap());
        for item in archive.items() {
            if let Some(expected) = expected["sonobuoy_results"].get(&item.name) {
                check_totals(item, expected);
            }
        }
        assert!(archive.damage().is_none() && archive.warnings().is_empty());
    }
}

/// Post-processing must give what Sonobuoy recorded beside the same file, details included.
#[test]
fn junit_of_real_runs_becomes_the_recorded_items() {
    let Some(folder) = truth() else { return };
    for path in [
        "clusters/cilium-1.18/cilium-1.18.tar.gz",
        "clusters/calico-1.27/calico-1.27.tar.gz",
        "tarballs/results-4-e2e-failures.tar.gz",
    ] {
        let path = folder.join(path);
        let selection = Selection { plugin: Some("e2e"), mode: Mode::SonobuoyCompat, ..Selection::default() };
        let recorded = RunArchive::read(&path, &selection).unwrap();
        let without = tempfile::tempdir().unwrap();
        visit(&path, &ArchiveBounds::default(), &mut |name, content| {
            if name.starts_with("plugins/e2e/") && !name.ends_with(".yaml") {
                let path = without.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                io::copy(content, &mut fs::File::create(path).unwrap()).unwrap();
            }
            Ok(())
        })
        .unwrap();
        let made = RunArchive::read(without.path(), &selection).unwrap();
        let leaves = |archive: &RunArchive| {
            let mut leaves = Vec::new();
            archive
                .items()
                .next()
                .unwrap()
                .for_each_leaf(&mut |path, leaf| leaves.push((path.join("|"), leaf.clone())));
            leaves
        };
        for (recorded, made) in leaves(&recorded).into_iter().zip(leaves(&made)) {
            assert_eq!(recorded, made, "{}", path.display());
        }
        assert_eq!(leaves(&recorded).len(), leaves(&made).len());
    }
}

const RAW: &str = r#"{"Definition":{"sonobuoy-config":{"driver":"DaemonSet","result-format":"raw"}}}"#;

#[test]
fn detailed_output_prints_files_in_item_order_and_says_what_is_missing() {
    let folder = run(&[
        ("plugins/logs/definition.json", RAW),
        ("plugins/logs/results/n2/out", "last"),
        ("plugins/logs/results/n1/out", "one\ntwo\n"),
        (
            "plugins/logs/sonobuoy_results.yaml",
            "name: logs\nstatus: passed\nitems:\n- {name: n2, items: [{name: out, status: passed, meta: {file: results\\n2\\out}}]}\n- {name: n1, items: [{name: out, status: passed, meta: {file: results/n1/out}}, {name: gone, status: passed, meta: {file: results/n1/gone}}]}\n",
        ),
    ]);
    let selection = Selection { output: OutputMode::Detailed, ..Selection::default() };
    let (text, warnings) = print(folder.path(), &selection);
    expect![[r#"
        logs|n2|out last
        logs|n1|out one
        logs|n1|out two
        {"name":"gone","status":"passed","meta":{"file":"results/n1/gone","path":"logs|n1"}}
    "#]]
    .assert_eq(&text);
    assert_eq!(warnings, ["`plugins/logs/results/n1/gone` is named by the results and not there"]);
    let (text, _) = print(folder.path(), &Selection { node: Some("n2"), ..selection });
    expect![[r#"
        n2|out last
    "#]]
    .assert_eq(&text);
}

#[test]
fn a_run_without_any_metadata_is_post_processed() {
    let folder = run(&[
        (
            "plugins/e2e/results/junit_01.xml",
            "<testsuite name='s'><testcase name='[It] a'><failure/></testcase></testsuite>",
        ),
        ("plugins/logs/results/n1/out", ""),
        ("plugins/logs/errors/n2/error.json", r#"{"error":"no answer"}"#),
        ("meta/clusterhealth.json", r#"{"api_version":"v1","node_health":{"total_nodes":2,"healthy_nodes":2}}"#),
    ]);
    let (text, _) = print(folder.path(), &Selection::default());
    expect![[r#"
        Plugin: e2e
        Status: failed
        Total: 1
        Passed: 0
        Failed: 1
        Skipped: 0

        Failed tests:
        a

        Plugin: logs
        Status: failed
        Total: 2
        Passed: 1
        Failed: 1
        Skipped: 0

        Failed tests:
        no answer

        Run Details:
        API Server version: v1
        Node health: 2/2 (100%)
    "#]]
    .assert_eq(&text);
    let (text, _) =
        print(folder.path(), &Selection { output: OutputMode::Dump, plugin: Some("logs"), ..Selection::default() });
    expect![[r#"
        name: logs
        status: failed
        meta:
          type: summary
        items:
        - name: n1
          status: passed
          meta:
            type: node
          items:
          - name: out
            status: passed
            meta:
              file: results/n1/out
        - name: n2
          status: failed
          meta:
            type: node
          items:
          - name: no answer
            status: failed
            meta:
              file: errors/n2/error.json
            details:
              error: no answer
    "#]]
    .assert_eq(&text);
}

#[test]
fn the_readable_dump_expands_line_breaks() {
    let folder = run(&[("plugins/p/sonobuoy_results.yaml", "name: p\nstatus: \"a\\n\\tb\"\n")]);
    let (text, _) = print(folder.path(), &Selection { output: OutputMode::Readable, ..Selection::default() });
    assert_eq!(text, "name: p\nstatus: \"a\n\tb\"\n");
}

#[test]
fn what_is_not_there_is_refused_with_what_is() {
    let folder = run(&[("plugins/p/results/global/x", ""), ("plugins/q/results/global/x", "")]);
    let error = |selection: &Selection<'_>| RunArchive::read(folder.path(), selection).unwrap_err().to_string();
    let path = folder.path().display();
    assert_eq!(
        error(&Selection { plugin: Some("r"), ..Selection::default() }),
        format!("there is no plugin `r` in `{path}` (there are: p, q)")
    );
    assert_eq!(
        error(&Selection { node: Some("n"), ..Selection::default() }),
        "there is no item `n` in the results of p, q"
    );
    let empty = tempfile::tempdir().unwrap();
    assert!(matches!(RunArchive::read(empty.path(), &Selection::default()), Err(ResultsError::NoPlugins { .. })));
}

#[test]
fn a_tarball_that_breaks_off_gives_what_it_has() {
    let noise: String = (0..200_000_u32)
        .map(|n| char::from(b'a' + u8::try_from(n.wrapping_mul(2_654_435_761) >> 28).unwrap()))
        .collect();
    let folder = run(&[
        ("plugins/p/definition.json", RAW),
        ("plugins/p/results/n1/out", "x"),
        ("plugins/p/results/n2/out", &noise),
    ]);
    let target = tempfile::tempdir().unwrap();
    let name = "run.tar.gz";
    crate::runs::tarball::pack(folder.path(), target.path(), name, jiff::Timestamp::UNIX_EPOCH).unwrap();
    let path = target.path().join(name);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let archive = RunArchive::read(&path, &Selection { output: OutputMode::Detailed, ..Selection::default() }).unwrap();
    assert!(archive.damage().is_some());
    let item = archive.items().next().unwrap();
    assert_eq!(item.items.iter().map(|node| node.name.as_str()).collect::<Vec<_>>(), ["n1", "n2"]);
}
