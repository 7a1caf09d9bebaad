//! The inventory of small clusters: which files, which items, and what is said where something is missing.

use expect_test::{Expect, expect};
use porthole_sdk::kubernetes::NodeEndpoint;
use porthole_sdk::testing::{Cluster, Run};
use serde_json::json;

use crate::ClusterInventory;

const SHOP: &str = r"
{apiVersion: v1, kind: Node, metadata: {name: n1}}
---
{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop, managedFields: [{manager: x}]}, spec: {initContainers: [{name: init}], containers: [{name: c}]}}
---
{apiVersion: v1, kind: Pod, metadata: {name: dns, namespace: kube-system}, spec: {containers: [{name: c}]}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}}
---
{apiVersion: v1, kind: Secret, metadata: {name: password, namespace: shop}}
";

fn check(run: &Run, expected: &Expect) {
    let mut text = run.lines();
    for (path, content) in &run.files {
        text.push_str(&format!("{path}: {}\n", String::from_utf8_lossy(content).trim_end()));
    }
    expected.assert_eq(&text);
}

#[test]
fn objects_nodes_and_logs_are_collected_and_secrets_are_not() {
    let run = Cluster::from_yaml(SHOP)
        .node_answer("n1", NodeEndpoint::Configz, 200, "{}")
        .node_answer("n1", NodeEndpoint::Healthz, 500, "not ok")
        .logs("kube-system", "dns", "c", "hello\n")
        .run::<ClusterInventory>();
    check(
        &run,
        &expect![[r#"
            passed server | version
            passed server | groups
            passed resources | core/v1/nodes
            passed resources | core/v1/pods
            passed resources | apps/v1/deployments
            passed nodes | n1 | configz
            passed nodes | n1 | healthz
            passed logs | kube-system/dns/c
            /hosts/n1/configz.json: {}
            /hosts/n1/healthz.json: {"status":500}
            /podlogs/kube-system/dns/logs/c.txt: hello
            /resources/cluster/core_v1_nodes.json: {"apiVersion":"v1","kind":"NodeList","metadata":{},"items":[{"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"}}]}
            /resources/ns/kube-system/core_v1_pods.json: {"apiVersion":"v1","kind":"PodList","metadata":{},"items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"dns","namespace":"kube-system"},"spec":{"containers":[{"name":"c"}]}}]}
            /resources/ns/shop/apps_v1_deployments.json: {"apiVersion":"apps/v1","kind":"DeploymentList","metadata":{},"items":[{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web","namespace":"shop"}}]}
            /resources/ns/shop/core_v1_pods.json: {"apiVersion":"v1","kind":"PodList","metadata":{},"items":[{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web","namespace":"shop"},"spec":{"containers":[{"name":"c"}],"initContainers":[{"name":"init"}]}}]}
            /servergroups.json: {"kind":"APIGroupList","apiVersion":"v1","groups":[]}
            /serverversion.json: {"major":"1","minor":"36","gitVersion":"v1.36.0"}
        "#]],
    );
}

#[test]
fn what_fails_is_said_and_the_rest_is_collected() {
    let run = Cluster::from_yaml(SHOP)
        .deny("list", "apps", "deployments")
        .deny("get", "", "pods/log")
        .config(json!({"namespaces": "shop", "podLogs": {"namespaces": ".*"}}))
        .run::<ClusterInventory>();
    expect![[r#"
        passed server | version
        passed server | groups
        passed resources | core/v1/nodes
        passed resources | core/v1/pods
        unknown resources | apps/v1/deployments: may not list `deployments`: grant `list` on `deployments`
        skipped nodes | n1 | configz: no answer was recorded
        skipped nodes | n1 | healthz: no answer was recorded
        unknown logs | kube-system/dns/c: may not get `pods/log`: grant `get` on `pods/log`
        unknown logs | shop/web/init: may not get `pods/log`: grant `get` on `pods/log`
        unknown logs | shop/web/c: may not get `pods/log`: grant `get` on `pods/log`
    "#]]
    .assert_eq(&run.lines());
    let pods = &run.files["/resources/ns/shop/core_v1_pods.json"];
    assert!(!run.files.contains_key("/resources/ns/kube-system/core_v1_pods.json"));
    assert!(String::from_utf8_lossy(pods).contains("web"));
}

#[test]
fn kinds_can_be_named_and_a_wrong_expression_is_told() {
    let run = Cluster::from_yaml(SHOP)
        .config(json!({"resources": ["deployments.apps", "secrets"], "nodes": false, "podLogs": {"enabled": false}}))
        .run::<ClusterInventory>();
    assert_eq!(
        run.lines(),
        "passed server | version\npassed server | groups\npassed resources | core/v1/secrets\n\
         passed resources | apps/v1/deployments\n"
    );
    let run = Cluster::from_yaml(SHOP).config(json!({"namespaces": "("})).run::<ClusterInventory>();
    assert!(run.result.expect_err("it is wrong").to_string().starts_with("`namespaces` is no regular expression"));
}
