//! Paths of `kubectl cluster-info dump --output-directory`.

use super::{Hint, Layout, Role, object_stem};

/// The files that kubectl writes, without their ending (kubectl `clusterinfo_dump.go`).
const FILES: &[&str] =
    &["nodes", "events", "services", "pods", "deployments", "daemonsets", "replicasets", "replication-controllers"];

pub(super) fn role(parts: &[&str]) -> Option<Role> {
    match parts {
        [.., _, _, "logs.txt"] => Some(Role::MarkedLogs),
        [.., file] => {
            let stem = object_stem(file).filter(|stem| FILES.contains(stem))?;
            let resource = Some(stem.replace('-', ""));
            Some(Role::Objects(Hint { resource, layout: Layout::ClusterInfo, ..Hint::default() }))
        }
        [] => None,
    }
}
