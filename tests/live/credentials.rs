//! What is said to those who may not?

use std::process::Command;

use porthole::cluster::{Cluster, ClusterError, ListQuery};
use porthole_core::resource::ResourceType;

use crate::{TestCluster, block_on};

pub(crate) fn rbac_refuses(cluster: &TestCluster) {
    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    let token = cluster.kubectl(&["-n", "default", "create", "token", "default"]);
    std::fs::copy(cluster.kubeconfig(), &kubeconfig).unwrap();
    let file = kubeconfig.display().to_string();
    let set = |arguments: &[&str]| {
        let mut all = vec!["config", "--kubeconfig", &file];
        all.extend(arguments);
        cluster.kubectl(&all);
    };
    set(&["set-credentials", "nobody", "--token", token.trim()]);
    set(&["set-context", "nobody", "--cluster", "cluster", "--user", "nobody"]);
    set(&["use-context", "nobody"]);
    let error = block_on(async {
        let live = cluster.connect_with(&kubeconfig).await;
        live.list(&ResourceType::new("", "v1", "pods"), &ListQuery::default()).await.expect_err("it may not")
    });
    assert!(
        matches!(&error, ClusterError::Forbidden(status) if status.code == 403 && status.message.contains("system:serviceaccount:default:default")),
        "{error:?}"
    );
}

pub(crate) fn an_expired_certificate_is_told(cluster: &TestCluster) {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"
        set -eu
        echo "extendedKeyUsage=clientAuth" > ext
        openssl req -newkey rsa:2048 -nodes -subj "/O=system:masters/CN=late" -keyout late.key -out late.csr 2>/dev/null
        openssl x509 -req -days 0 -in late.csr -CA "$CLUSTER_DIR/pki/ca.crt" -CAkey "$CLUSTER_DIR/pki/ca.key" -set_serial 77 -extfile ext -out late.crt 2>/dev/null
    "#;
    let status = Command::new("sh")
        .args(["-c", script])
        .env("CLUSTER_DIR", &cluster.folder)
        .current_dir(folder.path())
        .status()
        .unwrap();
    assert!(status.success());
    let kubeconfig = folder.path().join("kubeconfig");
    std::fs::copy(cluster.kubeconfig(), &kubeconfig).unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    cluster.kubectl(&[
        "config",
        "--kubeconfig",
        &path("kubeconfig"),
        "set-credentials",
        "admin",
        "--client-certificate",
        &path("late.crt"),
        "--client-key",
        &path("late.key"),
        "--embed-certs",
    ]);
    std::thread::sleep(std::time::Duration::from_secs(2));
    let output = cluster.porthole(folder.path(), &["run", "--kubeconfig", "kubeconfig"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains("a token or client certificate may have expired"), "{said}");
}
