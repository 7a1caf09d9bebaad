//! Paths of a Sonobuoy tarball, from v0.8 to v0.57.

use super::{Hint, Instance, Layout, LogKey, Role, object_stem};
use crate::cluster::NodeEndpoint;

pub(super) fn role(parts: &[&str]) -> Option<Role> {
    match parts {
        // A plugin's results may look like anything, also like objects.
        [.., "plugins", _, "results" | "errors", _]
        | [.., "plugins", _, "results" | "errors", _, _]
        | [.., "plugins", _, "definition.json" | "defintion.json" | "sonobuoy_results.yaml"]
        | [.., "meta", "config.json" | "info.json" | "query-time.json" | "clusterhealth.json" | "run.log"] => {
            Some(Role::Other)
        }
        [.., "resources", "cluster" | "non-ns", file] => objects(file, None),
        [.., "resources", "ns", namespace, file] => objects(file, Some(namespace)),
        [.., "hosts", node, "configz.json"] => Some(host(node, NodeEndpoint::Configz)),
        [.., "hosts", node, "healthz.json"] => Some(host(node, NodeEndpoint::Healthz)),
        [.., "podlogs", namespace, pod, "logs", file] | [.., "podlogs", namespace, pod, file] => {
            log(namespace, pod, file)
        }
        _ => None,
    }
}

fn host(node: &str, endpoint: NodeEndpoint) -> Role {
    Role::Host { node: node.to_owned(), endpoint }
}

fn log(namespace: &str, pod: &str, file: &str) -> Option<Role> {
    let container = file.strip_suffix(".txt").or_else(|| file.strip_suffix(".log"))?;
    Some(Role::Log(LogKey {
        namespace: namespace.to_owned(),
        pod: pod.to_owned(),
        container: container.to_owned(),
        instance: Instance::Current,
    }))
}

/// Reads `core_v1_pods.json`, and `Pods.json` of before v0.17, where only the file name says the kind.
fn objects(file: &str, namespace: Option<&str>) -> Option<Role> {
    let stem = object_stem(file)?;
    let mut hint = Hint { namespace: namespace.map(str::to_owned), layout: Layout::Sonobuoy, ..Hint::default() };
    let mut from_end = stem.rsplitn(3, '_');
    match (from_end.next(), from_end.next(), from_end.next()) {
        (Some(resource), Some(version), Some(group)) => {
            hint.group = Some(if group == "core" { String::new() } else { group.to_owned() });
            hint.version = Some(version.to_owned());
            hint.resource = Some(resource.to_owned());
        }
        _ => hint.resource = Some(stem.to_lowercase()),
    }
    Some(Role::Objects(hint))
}
