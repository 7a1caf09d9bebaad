//! What a file of a snapshot is, as far as its path tells; each layout knows its own paths.

use crate::cluster::NodeEndpoint;

mod cluster_info;
mod must_gather;
mod plain;
mod sonobuoy;

/// What a file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Role {
    /// Nothing that a cluster would answer with.
    Other,
    /// Objects; the hint is for those that do not say themselves what they are.
    Objects(Hint),
    /// A kubelet's answer.
    Host {
        /// The node.
        node: String,
        /// The question.
        endpoint: NodeEndpoint,
    },
    /// The log of one container.
    Log(LogKey),
    /// The logs of a pod's containers between marker lines.
    MarkedLogs,
}

/// Which log.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LogKey {
    pub(super) namespace: String,
    pub(super) pod: String,
    pub(super) container: String,
    pub(super) instance: Instance,
}

/// Which run of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Instance {
    /// The one that runs.
    Current,
    /// The one before.
    Previous,
}

/// What the path says about the objects in a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Hint {
    /// The group; `None` when the path does not say it.
    pub(super) group: Option<String>,
    /// The version.
    pub(super) version: Option<String>,
    /// The plural name in lower case.
    pub(super) resource: Option<String>,
    /// The namespace.
    pub(super) namespace: Option<String>,
    /// Whose path it is.
    pub(super) layout: Layout,
}

/// Who wrote a snapshot.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Layout {
    /// People: a collection of manifests.
    #[default]
    Manifests,
    /// `sonobuoy retrieve`.
    Sonobuoy,
    /// `oc adm must-gather` or `oc adm inspect`.
    MustGather,
    /// `kubectl cluster-info dump`.
    ClusterInfo,
}

/// Tells what the file at `path` is. Only the end of the path counts, because dumps are often packed with
/// the folder that they are in.
pub(super) fn role(path: &str) -> Role {
    let parts: Vec<&str> = path.split('/').collect();
    sonobuoy::role(&parts)
        .or_else(|| must_gather::role(&parts))
        .or_else(|| cluster_info::role(&parts))
        .unwrap_or_else(|| plain::role(&parts))
}

/// Returns a file name without its ending, if it is one of an object file.
fn object_stem(file: &str) -> Option<&str> {
    [".json", ".yaml", ".yml"].iter().find_map(|ending| file.strip_suffix(ending))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(path: &str, expected: &Expect) {
        expected.assert_eq(&match role(path) {
            Role::Objects(hint) => {
                let part = |part: Option<String>| part.unwrap_or_else(|| "?".to_owned());
                let Hint { group, version, resource, namespace, layout } = hint;
                let kind = [group, version, resource, namespace].map(part).join(" ");
                format!("{layout:?}: {kind}")
            }
            Role::Log(key) => {
                format!("log {} {} {} {:?}", key.namespace, key.pod, key.container, key.instance)
            }
            Role::Host { node, endpoint } => format!("{endpoint:?} of {node}"),
            role => format!("{role:?}"),
        });
    }

    #[test]
    fn sonobuoy_paths_of_all_generations() {
        check("resources/ns/web/core_v1_pods.json", &expect!["Sonobuoy:  v1 pods web"]);
        check("dump/resources/ns/web/Pods.json", &expect!["Sonobuoy: ? ? pods web"]);
        check("resources/non-ns/Nodes.json", &expect!["Sonobuoy: ? ? nodes ?"]);
        check("resources/cluster/apps.example.com_v1_foos.json", &expect!["Sonobuoy: apps.example.com v1 foos ?"]);
        check("hosts/n1/configz.json", &expect!["Configz of n1"]);
        check("hosts/n1/healthz.json", &expect!["Healthz of n1"]);
        check("podlogs/web/a/logs/main.txt", &expect!["log web a main Current"]);
        check("podlogs/web/a/main.log", &expect!["log web a main Current"]);
        check("plugins/e2e/results/global/x.json", &expect!["Other"]);
        check("meta/config.json", &expect!["Other"]);
    }

    #[test]
    fn must_gather_paths() {
        check("mg/quay-io/cluster-scoped-resources/core/nodes/n1.yaml", &expect!["MustGather:  ? nodes ?"]);
        check("cluster-scoped-resources/apps.example.com/foos.yaml", &expect!["MustGather: apps.example.com ? foos ?"]);
        check("namespaces/web/apps/deployments.yaml", &expect!["MustGather: apps ? deployments web"]);
        check("namespaces/web/apps/deployments/a.yaml", &expect!["MustGather: apps ? deployments web"]);
        check("namespaces/web/web.yaml", &expect!["MustGather:  v1 namespaces ?"]);
        check("namespaces/web/pods/a/a.yaml", &expect!["MustGather:  v1 pods web"]);
        check("x/namespaces/web/pods/a/main/main/logs/previous.log", &expect!["log web a main Previous"]);
    }

    #[test]
    fn cluster_info_and_plain_paths() {
        check("dump/kube-system/replication-controllers.json", &expect!["ClusterInfo: ? ? replicationcontrollers ?"]);
        check("kube-system/coredns-1/logs.txt", &expect!["MarkedLogs"]);
        check("manifests/web.yaml", &expect!["Manifests: ? ? ? ?"]);
        check("README.md", &expect!["Other"]);
        check(".git/config.yaml", &expect!["Other"]);
    }
}
