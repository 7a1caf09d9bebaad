//! Tests of what a run's folder gets.
#![expect(clippy::unwrap_used, reason = "a test that cannot make its files must stop")]

use expect_test::expect;
use porthole_core::results::processing::TYPED_ITEMS_FILE;
use serde_json::json;

use super::*;

fn put(run: &Path, path: &str, content: &str) {
    let path = run.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

#[test]
fn a_plugins_files_become_its_results_file() {
    let run = tempfile::tempdir().unwrap();
    let run = run.path();
    let typed = r#"{"path":["pods","a"],"status":"failed","details":{"severity":"high"}}"#;
    put(run, &format!("plugins/p/results/global/{TYPED_ITEMS_FILE}"), typed);
    put(run, "plugins/p/errors/global/error.json", r#"{"error":"trapped","reason":"trap"}"#);
    let shape = PluginShape { name: "p".into(), format: "items".into(), ..PluginShape::default() };
    let root = post_process(run, shape, Mode::Strict).unwrap();
    write_results(run, &root).unwrap();
    expect![[r#"
        name: p
        status: failed
        meta:
          type: summary
        items:
        - name: pods
          status: failed
          items:
          - name: a
            status: failed
            details:
              severity: high
        - name: trapped
          status: failed
          meta:
            file: errors/global/error.json
          details:
            error: trapped
            reason: trap
    "#]]
    .assert_eq(&fs::read_to_string(run.join("plugins/p/sonobuoy_results.yaml")).unwrap());
}

#[test]
fn a_plugin_that_left_nothing_is_unknown() {
    let run = tempfile::tempdir().unwrap();
    let shape = PluginShape { name: "p".into(), ..PluginShape::default() };
    assert_eq!(post_process(run.path(), shape, Mode::Strict).unwrap().status.as_str(), "unknown");
}

#[test]
fn meta_files_are_written_whole() {
    let run = tempfile::tempdir().unwrap();
    let run = run.path();
    put(run, "serverversion.json", r#"{"gitVersion":"v1.36.3"}"#);
    put(
        run,
        "resources/cluster/core_v1_nodes.json",
        r#"{"items":[{"metadata":{"name":"n"},"status":{"conditions":[{"type":"Ready","status":"True"}]}}]}"#,
    );
    put(
        run,
        "resources/ns/a/core_v1_pods.json",
        r#"{"items":[{"metadata":{"name":"p","namespace":"a"},"status":{"phase":"Failed","conditions":[{"type":"Ready","status":"False","reason":"PodFailed","message":null}]}}]}"#,
    );
    put(run, "resources/ns/b/core_v1_pods.json", "no JSON");
    put(run, "podlogs/a/p/logs/c.txt", "E1 x\nfine\n");
    put(run, "podlogs/a/p/logs/c.log", "E1 x\n");
    put(run, "podlogs/a/p/c.txt", "E1 x\n");
    write_cluster_health(run).unwrap();
    write_info(run, &["b".to_owned(), "a".to_owned()]).unwrap();
    write_config(run, &json!({"UUID": "u"})).unwrap();
    write_definition(run, "p", &json!({"Definition": {"sonobuoy-config": {"driver": "Job"}}})).unwrap();
    let mut text = String::new();
    for path in ["meta/clusterhealth.json", "meta/info.json", "meta/config.json", "plugins/p/definition.json"] {
        text.push_str(&fs::read_to_string(run.join(path)).unwrap());
        text.push('\n');
    }
    expect![[r#"
        {"node_health":{"total_nodes":1,"healthy_nodes":1,"details":[{"name":"n","healthy":true,"ready":"True"}]},"pod_health":{"total_nodes":1,"healthy_nodes":0,"details":[{"name":"p","healthy":false,"ready":"False","reason":"PodFailed","namespace":"a"}]},"api_version":"v1.36.3","error_summary":{"Errors":{"podlogs/a/p/logs/c.txt":1}}}
        {"plugins":["b","a"]}
        {"UUID":"u"}
        {"Definition":{"sonobuoy-config":{"driver":"Job"}}}
    "#]].assert_eq(&text);
    assert_eq!(fs::read_dir(run.join("meta")).unwrap().count(), 3, "no temporary file is left");
}
