//! Tests of post-processing: Sonobuoy's own cases, and each line of the table of differences.
#![expect(clippy::unwrap_used, reason = "a test that cannot read its case must stop")]

use std::path::{Path, PathBuf};

use expect_test::{Expect, expect};

use super::*;

mod junit;

/// Returns the folder of real data, or says that it is absent.
fn truth() -> Option<PathBuf> {
    let folder = std::env::var_os("PORTHOLE_TRUTH")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/truth"), PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    #[expect(clippy::print_stderr, reason = "a skipped test must say so")]
    {
        eprintln!("skipped: {} is absent", folder.display());
    }
    None
}

fn process(shape: PluginShape, mode: Mode, files: &[(&str, &str)]) -> Item {
    let mut processor = Processor::new(shape, mode);
    for (path, content) in files {
        if processor.interest(path) != Interest::Ignored {
            processor.add(path, content.as_bytes());
        }
    }
    processor.finish()
}

fn job(format: &str) -> PluginShape {
    PluginShape { name: "p".into(), format: format.into(), ..PluginShape::default() }
}

/// Writes a tree one item per line, as `name status {details} (error)`.
fn outline(item: &Item, depth: usize, text: &mut String) {
    use std::fmt::Write as _;
    write!(text, "{}{} {}", "  ".repeat(depth), item.name, item.status).unwrap();
    if !item.details.is_empty() {
        write!(text, " {}", serde_json::to_string(&item.details).unwrap()).unwrap();
    }
    if let Some(error) = item.meta.get(META_ERROR) {
        write!(text, " ({error})").unwrap();
    }
    text.push('\n');
    for item in &item.items {
        outline(item, depth + 1, text);
    }
}

#[track_caller]
fn check(shape: &PluginShape, files: &[(&str, &str)], compat: &Expect, strict: &Expect) {
    for (mode, expected) in [(Mode::SonobuoyCompat, compat), (Mode::Strict, strict)] {
        let mut text = String::new();
        outline(&process(shape.clone(), mode, files), 0, &mut text);
        expected.assert_eq(&text);
    }
}

#[derive(serde::Deserialize)]
struct Cases {
    cases: Vec<Case>,
}

#[derive(serde::Deserialize)]
struct Case {
    name: String,
    driver: Driver,
    result_format: String,
    result_files: Vec<String>,
    dir: String,
    expected: String,
    inputs: Vec<String>,
    expected_status: String,
}

#[test]
fn sonobuoys_ten_cases_give_its_golden_trees() {
    let Some(folder) = truth().map(|truth| truth.join("sonobuoy-results")) else { return };
    let Cases { cases } = serde_json::from_slice(&std::fs::read(folder.join("cases.json")).unwrap()).unwrap();
    assert_eq!(cases.len(), 10);
    for case in cases {
        let golden: Item = serde_json::from_slice(&std::fs::read(folder.join(&case.expected)).unwrap()).unwrap();
        let contents: Vec<String> = case
            .inputs
            .iter()
            .map(|input| std::fs::read_to_string(folder.join(&case.dir).join(input)).unwrap())
            .collect();
        // The order of arrival must not matter.
        let files: Vec<(&str, &str)> =
            case.inputs.iter().zip(&contents).rev().map(|(path, content)| (path.as_str(), content.as_str())).collect();
        let shape = PluginShape {
            name: case.name.clone(),
            driver: case.driver,
            format: case.result_format,
            result_files: case.result_files,
        };
        for mode in [Mode::SonobuoyCompat, Mode::Strict] {
            let item = process(shape.clone(), mode, &files);
            assert_eq!(item, golden, "{} in {mode:?}", case.name);
            assert_eq!(item.status.as_str(), case.expected_status);
        }
    }
}

#[test]
fn gojson_shows_what_sonobuoy_overlooks() {
    check(
        &job("gojson"),
        &[
            (
                "results/a.json",
                r#"{"Action":"run","Package":"p","Test":"T1"}
                   {"action":"output","Package":"p","Test":"T1","Output":"why\n"}
                   {"Action":"fail","Package":"p","Test":"T1"}
                   {"Action":"fail","Package":"p"}
                   {"Action":"run","Package":"q","Test":"T2"}
                   {"Action":"fail","Package":"q"}"#,
            ),
            ("results/b.json", "{}"),
            ("results/c.json", r#"{"Action":"pass","Test":"T"} {"#),
            ("results/d.json", r#"{"Action":7}"#),
        ],
        &expect![[r#"
            p failed
              a.json failed
                T1 failed
              b.json passed
              c.json passed (EOF while parsing an object at line 1 column 30)
                T passed
              d.json unknown (`Action` must be a string)
        "#]],
        &expect![[r#"
            p failed
              a.json failed
                T1 failed {"output":"why\n"}
                q failed
                T2 unknown (the test began and did not end)
              b.json unknown
              c.json unknown (EOF while parsing an object at line 1 column 30)
                T passed
                c.json unknown (EOF while parsing an object at line 1 column 30)
              d.json unknown (`Action` must be a string)
        "#]],
    );
}

#[test]
fn manual_files_are_read_patiently() {
    check(
        &job("manual"),
        &[
            ("results/a.yaml", "name: x\nstatus: passed\ndetails: {1: {a: [b]}}\n---\nstatus: failed"),
            ("results/b.yml", "status: Passed\nitems: null"),
            ("results/c.yaml", "- no item"),
            ("results/d.yaml", "a: b: c"),
            ("results/e.yaml", ""),
        ],
        &expect![[r#"
            p Passed: 1, passed: 1, unknown: 3
              a.yaml passed {"1":{"a":["b"]}}
              b.yml Passed
              c.yaml unknown (an item must be a mapping)
              d.yaml unknown (mapping values are not allowed in this context at line 1 column 5)
              e.yaml unknown (an item must be a mapping)
        "#]],
        &expect![[r#"
            p Passed: 1, passed: 1, unknown: 3
              a.yaml passed {"1":{"a":["b"]}}
              b.yml Passed
              c.yaml unknown (an item must be a mapping)
              d.yaml unknown (mapping values are not allowed in this context at line 1 column 5)
              e.yaml unknown (an item must be a mapping)
        "#]],
    );
}

#[test]
fn errors_fail_the_plugin_and_keep_their_details_as_go_text() {
    let error = r#"{"error":"pod lost","pod":{"b":[1,null],"a":true}}"#;
    check(
        &job("raw"),
        &[
            ("results/global/file", ""),
            ("errors/global/error.json", error),
            ("errors/x/error.json", r#"{"error":"timeout of the bus","reason":"trap"}"#),
            ("errors/y/error.json", "{}"),
            ("errors/z/error.json", "[]"),
            ("errors/z/other.json", "[]"),
        ],
        &expect![[r#"
            p failed
              file passed
              pod lost failed {"error":"pod lost","pod":"map[a:true b:[1 <nil>]]"}
              timeout of the bus timeout {"error":"timeout of the bus","reason":"trap"}
              <nil> failed
              error.json failed
        "#]],
        &expect![[r#"
            p failed
              file passed
              pod lost failed {"error":"pod lost","pod":"map[a:true b:[1 <nil>]]"}
              timeout of the bus failed {"error":"timeout of the bus","reason":"trap"}
              Unknown error failed
              error.json failed (not a JSON object)
        "#]],
    );
}

#[test]
fn nodes_come_from_folders_and_stand_twice_when_they_have_errors() {
    let shape = PluginShape { driver: Driver::DaemonSet, ..job("raw") };
    check(
        &shape,
        &[
            ("results/n2/", ""),
            ("results/n10/deep/file", ""),
            ("results/n1/file", ""),
            ("results/stray", ""),
            ("errors/n1/error.json", r#"{"error":"e"}"#),
            ("errors/error.json", r#"{"error":"not started"}"#),
        ],
        &expect![[r#"
            p failed
              n1 passed
                file passed
              n10 passed
                file passed
              n2 unknown
              n1 failed
                e failed {"error":"e"}
        "#]],
        &expect![[r#"
            p failed
              n1 passed
                file passed
              n10 passed
                file passed
              n2 unknown
              n1 failed
                e failed {"error":"e"}
              not started failed {"error":"not started"}
        "#]],
    );
}

#[test]
fn typed_items_are_read_whatever_the_format() {
    check(
        &job("items"),
        &[
            (
                "results/global/porthole_items.jsonl",
                "{\"path\":[\"g\",\"a\"],\"status\":\"failed\",\"details\":{\"n\":1}}\n\n{\"path\":[\"g\",\"b\"],\"status\":\"mine\"}\n{\"pa",
            ),
            ("results/global/dump.txt", ""),
        ],
        &expect![[r#"
            p failed: 1, mine: 1, unknown: 1
              g failed: 1, mine: 1
                a failed {"n":1}
                b mine
              porthole_items.jsonl unknown (line 4: EOF while parsing a string at line 1 column 4)
        "#]],
        &expect![[r#"
            p failed: 1, mine: 1, unknown: 1
              g failed: 1, mine: 1
                a failed {"n":1}
                b mine
              porthole_items.jsonl unknown (line 4: EOF while parsing a string at line 1 column 4)
        "#]],
    );
}

/// Pieces from which hostile files are put together; most of them are well-formed for a while.
const PIECES: [&str; 24] = [
    "<testsuites>",
    "<testsuite name='s'>",
    "<testcase name='c'>",
    "<failure message='&#10;'>",
    "</failure>",
    "<skipped/>",
    "</testcase>",
    "</testsuite>",
    "</testsuites>",
    "<![CDATA[x]]>",
    "&lt;",
    "&#x110000;",
    "<!--",
    "{\"Action\":\"fail\",",
    "\"Test\":\"T\"}",
    "{\"path\":[\"a\"],",
    "\"status\":\"failed\"}",
    "\n",
    "items:\n",
    "- name: a\n",
    "  status: &x b\n",
    "*x",
    "\u{e9}\u{202e}",
    "\"error\":1e99}",
];

proptest::proptest! {
    #[test]
    fn no_file_makes_post_processing_panic(
        pieces in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..12),
        cut in 0_usize..64,
    ) {
        let text = pieces.concat();
        let content = &text.as_bytes()[..text.len().saturating_sub(cut)];
        for format in ["junit", "gojson", "manual", "items", "raw"] {
            for mode in [Mode::Strict, Mode::SonobuoyCompat] {
                let mut processor = Processor::new(job(format), mode);
                for path in ["results/a.xml", "results/a.json", "results/a.yaml", "results/porthole_items.jsonl", "errors/error.json"] {
                    if processor.interest(path) == Interest::Content {
                        processor.add(path, content);
                    }
                }
                let root = processor.finish();
                proptest::prop_assert!(root.status != Status::Passed || root.items.iter().all(|item| !item.status.is_failure()));
            }
        }
    }
}
