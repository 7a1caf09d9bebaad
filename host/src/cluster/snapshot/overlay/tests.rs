//! Writes and their refusals, where a `ConfigMap` is too simple to show them.

use bytes::Bytes;
use expect_test::expect;
use futures::FutureExt;
use porthole_core::resource::ResourceType;
use serde_json::{Value, json};

use crate::cluster::snapshot::Snapshot;
use crate::cluster::{
    Cluster, ClusterError, DeleteQuery, ListQuery, Object, PatchType, Propagation, Target, Write, WriteMode,
};

const DEPLOYMENT: &str = "
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, uid: d1}
spec:
  replicas: 1
  template:
    spec:
      containers:
      - {name: main, image: 'main:1', args: [a, b], ports: [{containerPort: 80}]}
      - {name: side, image: 'side:1'}
---
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web-1, uid: r1, ownerReferences: [{uid: d1, kind: Deployment, name: web, apiVersion: apps/v1}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web-1-x, uid: p1, labels: {app: web}, ownerReferences: [{uid: r1, kind: ReplicaSet, name: web-1, apiVersion: apps/v1}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web-1-y, uid: p2, labels: {app: web}}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {selector: {matchLabels: {app: web}}}
status: {disruptionsAllowed: 1}
";

fn now<T>(future: impl Future<Output = T>) -> T {
    future.now_or_never().expect("a snapshot answers at once")
}

fn deployment() -> Target {
    let resource_type = ResourceType::new("apps", "v1", "deployments");
    Target { resource_type, namespace: Some("default".to_owned()), name: "web".to_owned() }
}

fn containers(snapshot: &Snapshot) -> String {
    let value = now(snapshot.get(&deployment())).expect("is there").value().expect("valid");
    value["spec"]["template"]["spec"]["containers"].to_string()
}

fn patch(snapshot: &Snapshot, patch_type: PatchType, patch: &Value) -> Result<Option<Object>, ClusterError> {
    let (target, patch) = (deployment(), Bytes::from(patch.to_string()));
    now(snapshot.write(Write::Patch { target, patch_type, patch, field_manager: "m".to_owned() }, WriteMode::Commit))
}

fn apply(snapshot: &Snapshot, manager: &str, containers: &Value) -> Result<Option<Object>, ClusterError> {
    let value = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web", "namespace": "default"},
        "spec": {"template": {"spec": {"containers": containers}}},
    });
    let write = Write::Apply {
        resource_type: deployment().resource_type,
        object: Object::from_value(&value).expect("valid"),
        field_manager: manager.to_owned(),
        force: false,
    };
    now(snapshot.write(write, WriteMode::Commit))
}

fn evict(snapshot: &Snapshot, pod: &str, mode: WriteMode) -> Result<Option<Object>, ClusterError> {
    now(snapshot.write(Write::Evict { namespace: "default".to_owned(), pod: pod.to_owned() }, mode))
}

fn names(snapshot: &Snapshot, group: &str, resource: &str) -> Vec<String> {
    let page = now(snapshot.list(&ResourceType::new(group, "", resource), &ListQuery::default())).expect("is served");
    page.items.iter().map(|object| object.name().to_owned()).collect()
}

#[test]
fn containers_are_patched_by_name() {
    let snapshot = Snapshot::from_text("web", DEPLOYMENT);
    let change = json!([{"name": "side", "$patch": "delete"}, {"name": "main", "image": "main:2"}, {"name": "new", "image": "n"}]);
    let change = json!({"spec": {"template": {"spec": {"containers": change}}}});
    patch(&snapshot, PatchType::Strategic, &change).expect("is applied");
    expect![[r#"[{"args":["a","b"],"image":"main:2","name":"main","ports":[{"containerPort":80}]},{"image":"n","name":"new"}]"#]].assert_eq(&containers(&snapshot));
    patch(&snapshot, PatchType::Merge, &json!({"spec": {"template": {"spec": {"containers": []}}}}))
        .expect("is applied");
    assert_eq!(containers(&snapshot), "[]");
}

/// Copies the object into itself again and again.
fn doubling() -> Value {
    (0..60).map(|index| json!({"op": "copy", "from": "", "path": format!("/a{index}")})).collect()
}

/// Moves each of many deep values to the end of the next.
fn stacking() -> Value {
    let deep = (0..100).fold(json!({}), |value, _| json!({"a": value}));
    let end = "/a".repeat(100);
    let add = |index: i32| json!({"op": "add", "path": format!("/{index}"), "value": deep});
    let stack =
        |index: i32| json!({"op": "move", "from": format!("/{index}"), "path": format!("/{}{end}/a", index + 1)});
    (0..50).map(add).chain((0..49).map(stack)).collect()
}

#[test]
fn a_patch_that_cannot_be_applied_says_why_and_changes_nothing() {
    let snapshot = Snapshot::from_text("web", DEPLOYMENT);
    let before = containers(&snapshot);
    let mut reasons = String::new();
    for (patch_type, change) in [
        (PatchType::Json, json!([{"op": "remove", "path": "/spec/nothing"}])),
        (PatchType::Json, json!([{"op": "test", "path": "/spec/replicas", "value": 2}])),
        (PatchType::Json, json!([{"op": "add", "path": "/spec/template/spec/containers/9", "value": 2}])),
        (PatchType::Json, json!([{"op": "replace", "path": "", "value": 2}])),
        (PatchType::Json, doubling()),
        (PatchType::Json, stacking()),
        (PatchType::Merge, json!({"spec": {"big": "x".repeat(4 << 20)}})),
        (PatchType::Merge, json!([])),
        (PatchType::Merge, json!({"metadata": {"name": "other"}})),
        (PatchType::Merge, json!({"metadata": null})),
    ] {
        let error = patch(&snapshot, patch_type, &change).expect_err("is refused");
        assert!(matches!(error, ClusterError::Invalid(_) | ClusterError::Refused(_)), "{error:?}");
        reasons += &format!("{error}\n");
    }
    expect![[r#"
        the patch cannot be applied: there is no value at `/spec/nothing`
        the patch cannot be applied: testing path `/spec/replicas` failed
        the patch cannot be applied: there is no value at `/spec/template/spec/containers/9`
        a patch cannot change `apiVersion`
        the patch cannot be applied: its copies are larger than 3145728 bytes
        the patch cannot be applied: the object would be nested more than 120 levels deep
        Request entity too large: limit is 3145728
        the patch cannot be applied: it is not a JSON object
        a patch cannot change `metadata/name`
        a patch cannot change `metadata/name`
    "#]]
    .assert_eq(&reasons);
    assert_eq!(containers(&snapshot), before);
}

#[test]
fn containers_are_applied_and_owned_by_name() {
    let snapshot = Snapshot::from_text("web", DEPLOYMENT);
    apply(&snapshot, "one", &json!([{"name": "main", "image": "main:2"}, {"name": "extra", "image": "e:1"}]))
        .expect("is applied");
    expect![[r#"[{"args":["a","b"],"image":"main:2","name":"main","ports":[{"containerPort":80}]},{"image":"side:1","name":"side"},{"image":"e:1","name":"extra"}]"#]].assert_eq(&containers(&snapshot));
    let conflict =
        apply(&snapshot, "two", &json!([{"name": "main", "image": "main:3"}, {"name": "extra", "image": "e:2"}]));
    expect![[r#"
        Apply failed with 2 conflicts: conflicts with "one":
        - .spec.template.spec.containers[name="extra"].image
        - .spec.template.spec.containers[name="main"].image"#]]
    .assert_eq(&conflict.expect_err("one owns both").to_string());
    apply(&snapshot, "one", &json!([{"name": "main", "image": "main:2"}])).expect("is applied");
    expect![[r#"[{"args":["a","b"],"image":"main:2","name":"main","ports":[{"containerPort":80}]},{"image":"side:1","name":"side"}]"#]].assert_eq(&containers(&snapshot));
}

#[test]
fn what_is_owned_goes_with_its_owner_unless_orphaned() {
    for (propagation, left) in
        [(Propagation::Background, vec!["web-1-y"]), (Propagation::Orphan, vec!["web-1-x", "web-1-y"])]
    {
        let snapshot = Snapshot::from_text("web", DEPLOYMENT);
        let query = DeleteQuery { grace_period_seconds: None, propagation, uid: Some("d1".to_owned()) };
        now(snapshot.write(Write::Delete { target: deployment(), query }, WriteMode::Commit)).expect("is deleted");
        assert_eq!(names(&snapshot, "", "pods"), left);
    }
}

#[test]
fn evictions_use_up_the_disruption_budget() {
    let snapshot = Snapshot::from_text("web", DEPLOYMENT);
    evict(&snapshot, "web-1-x", WriteMode::DryRun).expect("would be allowed");
    assert_eq!(names(&snapshot, "", "pods"), ["web-1-x", "web-1-y"]);
    evict(&snapshot, "web-1-x", WriteMode::Commit).expect("is allowed");
    let refused = evict(&snapshot, "web-1-y", WriteMode::Commit).expect_err("nothing is left of the budget");
    assert!(matches!(&refused, ClusterError::Refused(status) if status.code == 429), "{refused:?}");
    assert_eq!(names(&snapshot, "", "pods"), ["web-1-y"]);
    let missing = evict(&snapshot, "web-1-x", WriteMode::Commit);
    assert!(matches!(missing, Err(ClusterError::NotFound { .. })), "{missing:?}");
}
