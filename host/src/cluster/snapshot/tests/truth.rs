//! The real dumps beside the repository, counted.

use super::*;

/// Where the real data is, if it is there.
fn truth() -> Option<PathBuf> {
    let truth = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/truth");
    let truth =
        if truth.is_dir() { truth } else { Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/truth") };
    if truth.is_dir() {
        return Some(truth);
    }
    // Through the writer, because the lint is about the program's own output.
    let _ = std::io::Write::write_all(&mut std::io::stderr(), b"skipped: ../shared/truth is not there\n");
    None
}

/// Counts objects by recorded file name and by namespace, asking as a plugin would.
fn counts(snapshot: &Snapshot, is_old: Age) -> (BTreeMap<String, usize>, BTreeMap<String, usize>) {
    let (mut by_file, mut by_namespace) = (BTreeMap::new(), BTreeMap::new());
    for api_resource in now(snapshot.api_resources()).expect("is derived").iter() {
        let kind = &api_resource.resource_type;
        let page = now(snapshot.list(kind, &ListQuery::default())).expect("is served");
        let group = if kind.group.is_empty() { "core" } else { &kind.group };
        let file = match is_old {
            Age::Old => kind.resource.clone(),
            Age::New => format!("{group}_{}_{}", kind.version, kind.resource),
        };
        if !page.items.is_empty() {
            *by_file.entry(file).or_default() += page.items.len();
        }
        for namespace in page.items.iter().filter_map(|object| object.namespace()) {
            *by_namespace.entry(namespace.to_owned()).or_default() += 1;
        }
    }
    (by_file, by_namespace)
}

/// How resource files are named.
#[derive(Clone, Copy)]
enum Age {
    Old,
    New,
}

fn expected_counts(expected: &serde_json::Value, pointer: &str, age: Age) -> BTreeMap<String, usize> {
    let counts = expected.pointer(pointer).and_then(serde_json::Value::as_object).expect("is in expected.json");
    let name = |name: &str| {
        if matches!(age, Age::Old) && pointer.ends_with("name") { name.to_lowercase() } else { name.to_owned() }
    };
    let count = |count: &serde_json::Value| usize::try_from(count.as_u64().expect("is a count")).expect("is small");
    counts.iter().map(|(key, value)| (name(key), count(value))).collect()
}

#[test]
fn real_clusters_hold_what_their_truth_counts() {
    let Some(truth) = truth() else { return };
    let mut seen = 0;
    for folder in std::fs::read_dir(truth.join("clusters")).expect("is a folder") {
        let folder = folder.expect("is readable").path();
        let name = folder.file_name().expect("has a name").to_string_lossy().into_owned();
        let expected = std::fs::read(folder.join("expected.json")).expect("is beside the archive");
        let expected: serde_json::Value = serde_json::from_slice(&expected).expect("is JSON");
        let snapshot = Snapshot::open(&folder.join(format!("{name}.tar.gz"))).expect("opens");
        assert_eq!(snapshot.warnings(), [], "{name}");
        let by_file = expected.pointer("/objects/by_file_name").and_then(|files| files.as_object()).expect("counts");
        let age = if by_file.contains_key("Pods") { Age::Old } else { Age::New };
        let (files, namespaces) = counts(&snapshot, age);
        assert_eq!(files, expected_counts(&expected, "/objects/by_file_name", age), "{name}");
        assert_eq!(namespaces, expected_counts(&expected, "/objects/by_namespace", age), "{name}");
        for host in expected["hosts"].as_array().expect("is a list") {
            let node = host.as_str().expect("is a name");
            let answer = now(snapshot.node(node, NodeEndpoint::Healthz)).expect("is recorded");
            assert_eq!((answer.code, &answer.body[..]), (200, &b"ok"[..]), "{name} {node}");
            assert!(!now(snapshot.node(node, NodeEndpoint::Configz)).expect("is recorded").body.is_empty());
        }
        let version: serde_json::Value =
            serde_json::from_slice(&now(snapshot.version()).expect("recorded")).expect("JSON");
        assert_eq!(version["gitVersion"], expected["kubernetes"], "{name}");
        seen += 1;
    }
    assert!(seen > 0, "no cluster in {}", truth.display());
}

#[test]
fn pods_of_real_clusters_are_selected_by_field() {
    let Some(truth) = truth() else { return };
    let snapshot = Snapshot::open(&truth.join("clusters/flannel-1.13/flannel-1.13.tar.gz")).expect("opens");
    let pods = ResourceType::new("", "", "pods");
    let count = |field_selector: &str| {
        let query = ListQuery { field_selector: field_selector.to_owned(), ..ListQuery::default() };
        now(snapshot.list(&pods, &query)).expect("lists").items.len()
    };
    assert_eq!([count("spec.nodeName=master"), count("status.phase=Succeeded"), count("")], [10, 1, 21]);
}

#[test]
fn a_real_tarball_with_logs_opens() {
    let Some(truth) = truth() else { return };
    let snapshot = Snapshot::open(&truth.join("tarballs/results-4-e2e-failures.tar.gz")).expect("opens");
    assert_eq!(snapshot.warnings(), []);
    let (files, _) = counts(&snapshot, Age::New);
    assert_eq!(files.values().sum::<usize>(), 746);
    let text = log(&snapshot, "sonobuoy", "sonobuoy", &LogQuery { tail_lines: Some(1), ..LogQuery::default() });
    assert!(text.expect("is recorded").len() > 10);
}
