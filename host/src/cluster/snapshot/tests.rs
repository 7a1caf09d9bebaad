//! Snapshots of every layout, and the real ones.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use futures::{FutureExt, TryStreamExt};
use porthole_core::resource::ResourceType;

use super::*;
use crate::cluster::{Cluster, ClusterError, ListQuery, LogQuery, NodeEndpoint, behaviour};

mod truth;

/// Writes files into a folder and opens it.
fn open(files: &[(&str, &str)]) -> Result<Snapshot, SnapshotError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("is below the folder")).expect("creates folders");
        std::fs::write(path, text).expect("writes a temporary file");
    }
    Snapshot::open(folder.path())
}

fn now<T>(future: impl Future<Output = T>) -> T {
    future.now_or_never().expect("a snapshot answers at once")
}

/// Says what a snapshot holds: kinds with their objects, hosts, logs and warnings.
fn summary(snapshot: &Snapshot) -> String {
    let mut lines = String::new();
    for (kind, collection) in lock(&snapshot.store).collections().filter(|(_, found)| !found.objects.is_empty()) {
        let names: Vec<String> =
            collection.objects.keys().map(|(namespace, name)| format!("{namespace}/{name}")).collect();
        lines += &format!("{kind} {} {:?}: {}\n", collection.kind, collection.scope, names.join(" "));
    }
    for warning in snapshot.warnings() {
        lines += &format!("warning {warning}\n");
    }
    lines
}

fn check(files: &[(&str, &str)], expected: &Expect) {
    expected.assert_eq(&match open(files) {
        Ok(snapshot) => summary(&snapshot),
        // The folder's name is another one each time.
        Err(error) => error.to_string().split_once("` ").map_or_else(String::new, |(_, rest)| rest.to_owned()),
    });
}

fn log(snapshot: &Snapshot, namespace: &str, pod: &str, query: &LogQuery) -> Result<String, ClusterError> {
    let pieces: Vec<Bytes> = now(now(snapshot.pod_log(namespace, pod, query))?.try_collect())?;
    Ok(String::from_utf8(pieces.concat()).expect("text"))
}

#[test]
fn old_sonobuoy_files_are_told_by_name() {
    let deployment = r#"[{"metadata":{"name":"a","namespace":"web","selfLink":"/apis/extensions/v1beta1/namespaces/web/deployments/a"}}]"#;
    check(
        &[
            (
                "resources/ns/web/Pods.json",
                r#"[{"metadata":{"name":"b","namespace":"web"}},{"metadata":{"name":"a","namespace":"web"}}]"#,
            ),
            ("resources/ns/web/Deployments.json", deployment),
            ("resources/non-ns/Nodes.json", r#"[{"metadata":{"name":"n1"}}]"#),
            ("resources/ns/web/Gadgets.json", r#"[{"metadata":{"name":"g"}}]"#),
            ("plugins/e2e/results/x.json", r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"no"}}"#),
        ],
        &expect![[r#"
            v1/nodes Node Cluster: /n1
            v1/pods Pod Namespaced: web/a web/b
            extensions/v1beta1/deployments Deployment Namespaced: web/a
            warning `resources/ns/web/Gadgets.json`: nothing says which kind `gadgets` is
        "#]],
    );
}

#[test]
fn new_sonobuoy_files_give_plurals_of_unknown_kinds() {
    let list = r#"{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"x.io/v1","kind":"Mouse","metadata":{"name":"a","namespace":"web"}}]}"#;
    check(
        &[("resources/ns/web/x.io_v1_mice.json", list)],
        &expect![[r#"
        x.io/v1/mice Mouse Namespaced: web/a
    "#]],
    );
}

#[test]
fn hosts_logs_and_version_of_sonobuoy_are_answered() {
    let snapshot = open(&[
        ("hosts/n1/configz.json", r#"{"kubeletconfig":{}}"#),
        ("hosts/n1/healthz.json", r#"{"status":200}"#),
        ("podlogs/web/a/logs/main.txt", "1\n2\n"),
        ("podlogs/web/a/logs/side.txt", "3\n"),
        ("serverversion.json", r#"{"major":"1","minor":"27","gitVersion":"v1.27.1"}"#),
    ])
    .expect("opens without nodes");
    assert_eq!(
        &now(snapshot.version()).expect("recorded")[..],
        br#"{"gitVersion":"v1.27.1","major":"1","minor":"27"}"#
    );
    let answer = |endpoint| now(snapshot.node("n1", endpoint));
    assert_eq!(&answer(NodeEndpoint::Configz).expect("recorded").body[..], br#"{"kubeletconfig":{}}"#);
    assert_eq!(&answer(NodeEndpoint::Healthz).expect("recorded").body[..], b"ok");
    expect!["the snapshot does not record `stats/summary` of node `n1`"]
        .assert_eq(&answer(NodeEndpoint::StatsSummary).expect_err("not recorded").to_string());
    let of = |container: Option<&str>| {
        let query = LogQuery { container: container.map(str::to_owned), tail_lines: Some(1), ..LogQuery::default() };
        log(&snapshot, "web", "a", &query).unwrap_or_else(|error| error.to_string())
    };
    assert_eq!(of(Some("main")), "2\n");
    expect!["a container name must be specified for pod `a`, choose one of: main, side"].assert_eq(&of(None));
    expect!["the snapshot records no such log of pod `a` in namespace `web` (recorded containers: main, side)"]
        .assert_eq(&of(Some("x")));
    let missing = log(&snapshot, "web", "b", &LogQuery::default());
    assert!(matches!(missing, Err(ClusterError::NotFound { .. })), "{missing:?}");
}

#[test]
fn a_must_gather_is_read() {
    let pods = "---\napiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: a, namespace: web}\n";
    let definition = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: mice.x.io}\n\
                      spec: {group: x.io, scope: Cluster, names: {kind: Mouse, plural: mice}, versions: [{name: v1, served: true}]}\n";
    let files = [
        (
            "mg/img/cluster-scoped-resources/core/nodes/n1.yaml",
            "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {nodeInfo: {kubeletVersion: v1.30.2}}\n",
        ),
        ("mg/img/cluster-scoped-resources/apiextensions.k8s.io/customresourcedefinitions/mice.x.io.yaml", definition),
        (
            "mg/img/cluster-scoped-resources/x.io/mice/jerry.yaml",
            "apiVersion: x.io/v1\nkind: Mouse\nmetadata: {name: jerry}\n",
        ),
        ("mg/img/namespaces/web/core/pods.yaml", pods),
        ("mg/img/namespaces/web/web.yaml", "apiVersion: v1\nkind: Namespace\nmetadata: {name: web}\n"),
        ("mg/img/namespaces/web/pods/a/a.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: web}\n"),
        ("mg/img/namespaces/web/pods/a/main/main/logs/previous.log", "2024-01-01T00:00:00Z before\n"),
    ];
    check(
        &files,
        &expect![[r#"
        v1/namespaces Namespace Cluster: /web
        v1/nodes Node Cluster: /n1
        v1/pods Pod Namespaced: web/a
        apiextensions.k8s.io/v1/customresourcedefinitions CustomResourceDefinition Cluster: /mice.x.io
        x.io/v1/mice Mouse Cluster: /jerry
    "#]],
    );
    let snapshot = open(&files).expect("opens");
    let query = LogQuery { previous: true, timestamps: true, ..LogQuery::default() };
    assert_eq!(log(&snapshot, "web", "a", &query).expect("recorded"), "2024-01-01T00:00:00Z before\n");
    let current = log(&snapshot, "web", "a", &LogQuery::default());
    assert!(matches!(current, Err(ClusterError::Unsupported(_))), "{current:?}");
    let version = String::from_utf8(now(snapshot.version()).expect("derived").to_vec()).expect("text");
    expect![[
        r#"{"gitVersion":"v1.30.2","major":"1","minor":"30","porthole":"derived from the nodes' kubeletVersion"}"#
    ]]
    .assert_eq(&version);
    let jobs = now(snapshot.list(&ResourceType::new("batch", "v1", "jobs"), &ListQuery::default()));
    assert!(matches!(jobs, Err(ClusterError::NotServed(_))), "what was not collected is not known to be absent");
}

#[test]
fn a_cluster_info_dump_is_read_as_folder_and_as_output() {
    let pods = r#"{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"a","namespace":"web"}}]}"#;
    let logs = "==== START logs for container main of pod web/a ====\nhello\n==== END logs for container main of pod web/a ====\n";
    let folder = open(&[("web/pods.json", pods), ("web/a/logs.txt", logs)]).expect("opens");
    let output = open(&[("dump.json", &format!("{pods}\n{logs}"))]).expect("opens");
    let yaml = "apiVersion: v1\nitems:\n- metadata:\n    name: a\n    namespace: web\nkind: PodList\n";
    let yaml = open(&[("dump.yaml", &format!("{yaml}---\n{yaml}{logs}"))]).expect("opens");
    for snapshot in [folder, output, yaml] {
        assert_eq!(summary(&snapshot), "v1/pods Pod Namespaced: web/a\n");
        assert_eq!(log(&snapshot, "web", "a", &LogQuery::default()).expect("recorded"), "hello\n");
    }
}

#[test]
fn manifests_live_in_the_default_namespace_and_bad_files_are_warnings() {
    check(
        &[
            (
                "a.yaml",
                "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n---\napiVersion: extensions/v1beta1\nkind: Deployment\nmetadata: {name: d, namespace: web}\n",
            ),
            ("b.yaml", "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: web}\n"),
            ("c.yaml", "a: [1\nb: 2\n"),
            ("d.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {generateName: x-}\n"),
            ("e.yaml", "kind: Pod\nmetadata: {name: x}\n"),
            ("f.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: y}\n"),
            ("g.json", "{\"a\":\n"),
            ("values.yaml", "replicas: 3\n"),
        ],
        &expect![[r#"
            v1/configmaps ConfigMap Namespaced: default/a
            apps/v1/deployments Deployment Namespaced: web/d
            extensions/v1beta1/deployments Deployment Namespaced: web/d
            warning `c.yaml`: is not valid YAML: did not find expected ',' or ']' at line 2 column 2, while parsing a flow sequence at line 1 column 4
            warning `d.yaml`: an object of kind `Pod` has no `metadata.name`
            warning `e.yaml`: an object of kind `Pod` has no `apiVersion`
            warning `g.json`: is not valid JSON: EOF while parsing a value at line 2 column 0
            warning `ConfigMap default/a`: is recorded twice with different content; the first is used
        "#]],
    );
}

#[test]
fn a_snapshot_without_objects_says_what_was_looked_for() {
    check(
        &[("README.md", "hello"), ("x.yaml", "a: [")],
        &expect![
            "holds no Kubernetes objects (2 files looked at; the first that was not readable: `x.yaml`: is not valid YAML: did not find expected node content at line 2 column 1, while parsing a flow node); looked for: a Sonobuoy tarball (`resources/`), an OpenShift must-gather (`cluster-scoped-resources/`, `namespaces/`), the output of `kubectl cluster-info dump`, or files `*.json`, `*.yaml`, `*.yml` of Kubernetes objects"
        ],
    );
}

#[test]
fn a_kind_without_objects_is_served_where_absence_is_known() {
    let pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n";
    let jobs = |snapshot: &Snapshot, resource: &str| {
        let resource_type = ResourceType::new(if resource == "jobs" { "batch" } else { "" }, "", resource);
        now(snapshot.list(&resource_type, &ListQuery::default())).map(|page| page.items.len())
    };
    let manifests = open(&[("a.yaml", pod)]).expect("opens");
    assert_eq!((jobs(&manifests, "jobs"), jobs(&manifests, "secrets")), (Ok(0), Ok(0)));
    let groups = r#"{"kind":"APIGroupList","groups":[{"name":"batch","versions":[{"groupVersion":"batch/v1"}]}]}"#;
    let pods = r#"[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"web"}}]"#;
    let sonobuoy = open(&[("resources/ns/web/core_v1_pods.json", pods), ("servergroups.json", groups)]).expect("opens");
    assert_eq!(jobs(&sonobuoy, "jobs"), Ok(0));
    assert!(jobs(&sonobuoy, "secrets").is_err(), "secrets are left out of every dump");
}

#[tokio::test]
async fn a_snapshot_behaves_as_a_cluster_does() {
    let snapshot = Snapshot::from_text("empty", "apiVersion: v1\nkind: Namespace\nmetadata: {name: default}\n");
    behaviour::check(&snapshot).await.unwrap_or_else(|broken| panic!("{broken}"));
}

#[test]
fn a_token_of_another_snapshot_or_question_is_expired() {
    let text = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: b}\n";
    let [first, second] = [Snapshot::from_text("1", text), Snapshot::from_text("2", text)];
    let pods = ResourceType::new("", "v1", "pods");
    let query = ListQuery { limit: Some(1), ..ListQuery::default() };
    let page = now(first.list(&pods, &query)).expect("lists");
    assert_eq!(page.remaining, Some(1));
    let next = ListQuery { continue_token: page.continue_token, ..query };
    assert_eq!(now(second.list(&pods, &next)).expect_err("foreign"), ClusterError::Expired);
    let other = ListQuery { label_selector: "a".to_owned(), ..next.clone() };
    assert_eq!(now(first.list(&pods, &other)).expect_err("another question"), ClusterError::Expired);
    let nonsense = ListQuery { continue_token: Some("é.1.2.3".to_owned()), ..next.clone() };
    assert_eq!(now(first.list(&pods, &nonsense)).expect_err("nonsense"), ClusterError::Expired);
    let last = now(first.list(&pods, &next)).expect("goes on");
    assert_eq!((last.items[0].name(), last.continue_token, last.remaining), ("b", None, None));
}
