//! Does a whole run say what is known of the demo, and ask no more than it must?

use std::process::Command;

use crate::TestCluster;

pub(crate) fn the_bundled_plugins_check_the_demo(cluster: &TestCluster) {
    let folder = tempfile::tempdir().unwrap();
    let output = cluster.porthole(folder.path(), &["run", "-o", "json", "--filename", "run.tar.gz"]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks =
        report["plugins"].as_array().unwrap().iter().find(|plugin| plugin["name"] == "workload-checks").unwrap();
    let found = |check: &str, object: &str| {
        checks["findings"]
            .as_array()
            .unwrap()
            .iter()
            .any(|finding| finding["check"] == check && finding["object"] == object)
    };
    // As tests/cluster/demo/FLAWS.md has it.
    for (check, object) in [
        ("image-tag", "Deployment shop/payment"),
        ("replicas", "Deployment shop/payment"),
        ("dangerous-capabilities", "StatefulSet shop/basket"),
        ("privileged-container", "DaemonSet shop-tools/node-watch"),
        ("docker-socket", "DaemonSet shop-tools/node-watch"),
        ("host-namespaces", "DaemonSet shop-tools/node-watch"),
        ("privilege-escalation", "CronJob shop-tools/report"),
        ("token-mount", "Pod shop-tools/console"),
        ("dangling-service", "Service shop/checkout"),
        ("secret-in-config-map", "ConfigMap shop/payment"),
        ("network-policy", "Pod shop-tools/console"),
        ("wildcard-rbac", "ClusterRole shop-everything"),
        ("pods-exec", "Role shop/debugger"),
    ] {
        assert!(found(check, object), "{check} did not find {object}");
    }
    let sound = ["Deployment shop/storefront", "Deployment shop/catalogue", "Job shop-tools/import"];
    for finding in checks["findings"].as_array().unwrap() {
        let object = finding["object"].as_str().unwrap();
        // The namespace shop-tools has no policy on purpose, and that is found for all that is in it.
        assert!(!sound.contains(&object) || finding["check"] == "network-policy", "{finding}");
    }
    let listed = Command::new("tar").args(["tzf", "run.tar.gz"]).current_dir(folder.path()).output().unwrap();
    let files = String::from_utf8_lossy(&listed.stdout).into_owned();
    for file in [
        "hosts/node1/configz.json",
        "hosts/node1/healthz.json",
        "serverversion.json",
        "resources/ns/shop/core_v1_pods.json",
    ] {
        assert!(files.lines().any(|line| line == file), "{file} is not in the tarball");
    }
    assert!(!files.contains("core_v1_secrets"), "secrets were collected");
}

pub(crate) fn a_run_lists_each_kind_once(cluster: &TestCluster) {
    let folder = tempfile::tempdir().unwrap();
    let log = cluster.folder.join("audit.log");
    let before = std::fs::read_to_string(&log).expect("the cluster was started with --audit").lines().count();
    let output = cluster.porthole(folder.path(), &["run", "--filename", "run.tar.gz"]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stderr));
    std::thread::sleep(std::time::Duration::from_secs(1));
    let counted = cluster.script("lists").args(["porthole/", &before.to_string()]).output().unwrap();
    let counted = String::from_utf8_lossy(&counted.stdout).into_owned();
    assert!(counted.lines().count() > 20, "{counted}");
    for line in counted.lines() {
        let mut words = line.split_whitespace();
        let mut number = || words.next().unwrap().parse::<u32>().unwrap();
        let (all, limited) = (number(), number());
        let kind = words.next().unwrap();
        // Nodes are read once more before the run, to plan it.
        let allowed = if kind == "nodes" { 2 } else { 1 };
        assert!(all <= allowed && all == limited, "{line}");
    }
}
