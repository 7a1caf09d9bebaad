//! What happens when the API server goes away?

use std::time::Duration;

use futures::StreamExt;
use porthole::cluster::{Cluster, ClusterError, ListQuery, WatchEvent};
use porthole_core::resource::ResourceType;

use crate::{TestCluster, block_on};

pub(crate) fn a_list_goes_on(cluster: &TestCluster) {
    block_on(async {
        let live = cluster.connect().await;
        let nodes = ResourceType::new("", "v1", "nodes");
        let mut query = ListQuery { limit: Some(5), ..ListQuery::default() };
        let first = live.list(&nodes, &query).await.unwrap();
        query.continue_token = first.continue_token;
        let mut restart = cluster.script("restart-apiserver");
        let restarting = tokio::task::spawn_blocking(move || restart.args(["--away", "3"]).status().unwrap());
        tokio::time::sleep(Duration::from_millis(500)).await;
        let second = live.list(&nodes, &query).await.expect("it comes back within the list's patience");
        assert_eq!(second.items.len(), 5);
        assert_ne!(first.items[0].name(), second.items[0].name());
        assert!(restarting.await.unwrap().success());
    });
}

pub(crate) fn a_watch_goes_on(cluster: &TestCluster) {
    block_on(async {
        let live = cluster.connect().await;
        let maps = ResourceType::new("", "v1", "configmaps");
        let query = ListQuery { namespace: Some("default".to_owned()), ..ListQuery::default() };
        let mut events = live.watch(&maps, &query).await.unwrap();
        let mut restart = cluster.script("restart-apiserver");
        let restarting = tokio::task::spawn_blocking(move || restart.status().unwrap());
        assert!(restarting.await.unwrap().success());
        cluster.kubectl(&["-n", "default", "create", "configmap", "after-the-storm"]);
        let seen = tokio::time::timeout(Duration::from_secs(60), async {
            while let Some(event) = events.next().await {
                if let WatchEvent::Added(map) = event.unwrap()
                    && map.name() == "after-the-storm"
                {
                    return true;
                }
            }
            false
        });
        let seen = seen.await;
        cluster.kubectl(&["-n", "default", "delete", "configmap", "after-the-storm"]);
        assert_eq!(seen, Ok(true));
    });
}

pub(crate) fn nobody_there(cluster: &TestCluster) {
    let folder = tempfile::tempdir().unwrap();
    let kubeconfig = folder.path().join("kubeconfig");
    let text = std::fs::read_to_string(cluster.kubeconfig()).unwrap();
    std::fs::write(&kubeconfig, text.replace(":16443", ":16999")).unwrap();
    let output = cluster.porthole(folder.path(), &["run", "--kubeconfig", "kubeconfig"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(said.contains(":16999") && said.contains("hint:"), "{said}");
}

/// The token of a list whose state etcd has thrown away is 410, and says so.
pub(crate) fn a_compacted_token_has_expired(cluster: &TestCluster) {
    assert!(cluster.script("restart-apiserver").arg("--etcd-compaction-interval=1s").status().unwrap().success());
    let expired = block_on(async {
        let live = cluster.connect().await;
        let nodes = ResourceType::new("", "v1", "nodes");
        let mut query = ListQuery { limit: Some(5), ..ListQuery::default() };
        query.continue_token = live.list(&nodes, &query).await.unwrap().continue_token;
        // Compaction needs writes to have something to throw away; heartbeats of nodes would do, slowly.
        for round in 0..20 {
            let name = format!("compaction-{round}");
            cluster.kubectl(&["-n", "default", "create", "configmap", &name]);
            cluster.kubectl(&["-n", "default", "delete", "configmap", &name]);
            tokio::time::sleep(Duration::from_secs(1)).await;
            if let Err(error) = live.list(&nodes, &query).await {
                return Some(error);
            }
        }
        None
    });
    assert!(cluster.script("restart-apiserver").status().unwrap().success());
    assert!(matches!(expired, Some(ClusterError::Expired)), "{expired:?}");
}
