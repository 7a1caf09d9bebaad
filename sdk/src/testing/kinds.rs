//! How the kinds that tests use are named.

use crate::kubernetes::{ApiResource, Resource};

/// Kinds of no namespace; everything else lives in one.
const CLUSTER_SCOPED: [&str; 12] = [
    "APIService",
    "ClusterRole",
    "ClusterRoleBinding",
    "CustomResourceDefinition",
    "IngressClass",
    "Namespace",
    "Node",
    "PersistentVolume",
    "PriorityClass",
    "RuntimeClass",
    "StorageClass",
    "CertificateSigningRequest",
];

/// Returns how the kind of an object is served.
pub(super) fn served(api_version: &str, kind: &str) -> ApiResource {
    let (group, version) = api_version.split_once('/').unwrap_or(("", api_version));
    ApiResource {
        resource: Resource::new(group, plural(kind)).in_version(version),
        kind: kind.to_owned(),
        namespaced: !CLUSTER_SCOPED.contains(&kind),
        verbs: ["create", "delete", "get", "list", "patch", "watch"].map(str::to_owned).to_vec(),
        preferred: true,
    }
}

/// The plural that Kubernetes uses, by the rules of English that its kinds follow.
fn plural(kind: &str) -> String {
    let name = kind.to_lowercase();
    match name.as_str() {
        "endpoints" => name,
        _ if name.ends_with('y') && !name.ends_with("ay") && !name.ends_with("ey") => {
            format!("{}ies", &name[..name.len() - 1])
        }
        _ if name.ends_with('s') || name.ends_with('x') || name.ends_with("ch") => format!("{name}es"),
        _ => format!("{name}s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plurals_are_those_of_kubernetes() {
        for (kind, name) in [
            ("Pod", "pods"),
            ("NetworkPolicy", "networkpolicies"),
            ("Ingress", "ingresses"),
            ("Endpoints", "endpoints"),
            ("Gateway", "gateways"),
        ] {
            assert_eq!(plural(kind), name);
        }
    }
}
