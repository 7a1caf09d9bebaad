//! Does the live cluster answer as the trait promises?

use futures::TryStreamExt;
use porthole::cluster::{Cluster, ClusterError, ListQuery, LogQuery, NodeEndpoint, Write, WriteMode, behaviour};
use porthole_core::resource::ResourceType;

use crate::{TestCluster, block_on};

pub(crate) fn it_behaves_as_a_snapshot_does(cluster: &TestCluster) {
    block_on(async {
        let live = cluster.connect().await;
        behaviour::check(&live).await.unwrap_or_else(|broken| panic!("{broken}"));
    });
}

pub(crate) fn a_list_is_paged(cluster: &TestCluster) {
    block_on(async {
        let live = cluster.connect().await;
        let nodes = ResourceType::new("", "v1", "nodes");
        let mut query = ListQuery { limit: Some(5), ..ListQuery::default() };
        let (mut names, mut pages) = (Vec::new(), 0);
        loop {
            let page = live.list(&nodes, &query).await.unwrap();
            pages += 1;
            names.extend(page.items.iter().map(|node| node.name().to_owned()));
            query.continue_token = page.continue_token;
            if query.continue_token.is_none() {
                break;
            }
            assert!(page.remaining.is_some());
        }
        assert_eq!((names.len(), pages), (21, 5));
        let foreign = ListQuery { limit: Some(5), continue_token: Some("nonsense".to_owned()), ..ListQuery::default() };
        assert!(live.list(&nodes, &foreign).await.is_err());
    });
}

pub(crate) fn the_real_node_answers(cluster: &TestCluster) {
    block_on(async {
        let live = cluster.connect().await;
        let configz = live.node("node1", NodeEndpoint::Configz).await.unwrap();
        assert_eq!(configz.code, 200);
        assert!(String::from_utf8_lossy(&configz.body).contains("kubeletconfig"));
        assert_eq!(live.node("node1", NodeEndpoint::Healthz).await.unwrap().code, 200);
        let query = LogQuery { container: Some("console".to_owned()), tail_lines: Some(1), ..LogQuery::default() };
        let log = live.pod_log("shop-tools", "console", &query).await.unwrap();
        let pieces: Vec<_> = log.try_collect().await.unwrap();
        let text = String::from_utf8(pieces.concat()).unwrap();
        assert_eq!(text.lines().count(), 1, "{text}");
    });
}

pub(crate) fn a_blocked_eviction_is_refused(cluster: &TestCluster) {
    cluster.kubectl(&[
        "-n",
        "shop",
        "create",
        "poddisruptionbudget",
        "nobody",
        "--selector=app=basket",
        "--min-available=100%",
    ]);
    std::thread::sleep(std::time::Duration::from_secs(3));
    let pods = cluster.kubectl(&["-n", "shop", "get", "pods", "-o", "name"]);
    let pod = pods
        .lines()
        .find_map(|line| line.strip_prefix("pod/").filter(|name| name.starts_with("basket")))
        .unwrap()
        .to_owned();
    let refused = block_on(async {
        let live = cluster.connect().await;
        let evict = Write::Evict { namespace: "shop".to_owned(), pod: pod.clone() };
        live.write(evict, WriteMode::DryRun).await
    });
    cluster.kubectl(&["-n", "shop", "delete", "poddisruptionbudget", "nobody"]);
    let error = refused.expect_err("the budget blocks it");
    assert!(matches!(&error, ClusterError::Refused(status) if status.code == 429), "{error:?}");
}
