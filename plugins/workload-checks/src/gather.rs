//! Reading all objects of a kind, whatever API group serves it.

use std::collections::BTreeMap;

use porthole_sdk::kubernetes::{self, ApiResource, Error};

use crate::objects::Object;

/// A kind that the checks need, by its plural name, and the groups that have served it, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Kind {
    pub(crate) kind: &'static str,
    resource: &'static str,
    groups: &'static [&'static str],
}

const fn kind(kind: &'static str, resource: &'static str, groups: &'static [&'static str]) -> Kind {
    Kind { kind, resource, groups }
}

pub(crate) const POD: Kind = kind("Pod", "pods", &[""]);
pub(crate) const SERVICE: Kind = kind("Service", "services", &[""]);
pub(crate) const CONFIG_MAP: Kind = kind("ConfigMap", "configmaps", &[""]);
pub(crate) const ROLE: Kind = kind("Role", "roles", &["rbac.authorization.k8s.io"]);
pub(crate) const CLUSTER_ROLE: Kind = kind("ClusterRole", "clusterroles", &["rbac.authorization.k8s.io"]);
pub(crate) const BUDGET: Kind = kind("PodDisruptionBudget", "poddisruptionbudgets", &["policy"]);
pub(crate) const NETWORK_POLICY: Kind = kind("NetworkPolicy", "networkpolicies", &["networking.k8s.io", "extensions"]);
/// What makes pods, those that make others first.
pub(crate) const CONTROLLERS: [Kind; 7] = [
    kind("Deployment", "deployments", &["apps", "extensions"]),
    kind("StatefulSet", "statefulsets", &["apps"]),
    kind("DaemonSet", "daemonsets", &["apps", "extensions"]),
    kind("ReplicaSet", "replicasets", &["apps", "extensions"]),
    kind("ReplicationController", "replicationcontrollers", &[""]),
    kind("CronJob", "cronjobs", &["batch"]),
    kind("Job", "jobs", &["batch"]),
];

/// The fields of an object that the checks look at; the rest is cut off by the host.
const FIELDS: [&str; 25] = [
    "metadata.labels",
    "metadata.ownerReferences",
    "data",
    "rules",
    "spec.containers",
    "spec.initContainers",
    "spec.ephemeralContainers",
    "spec.volumes",
    "spec.hostNetwork",
    "spec.hostPID",
    "spec.hostIPC",
    "spec.securityContext",
    "spec.serviceAccountName",
    "spec.automountServiceAccountToken",
    "spec.affinity",
    "spec.topologySpreadConstraints",
    "spec.replicas",
    "spec.selector",
    "spec.podSelector",
    "spec.type",
    "spec.template.metadata.labels",
    "spec.template.spec",
    "spec.jobTemplate.metadata.labels",
    "spec.jobTemplate.spec.template.metadata.labels",
    "spec.jobTemplate.spec.template.spec",
];

/// Reads every object of a kind. A kind that the cluster does not serve has none; an object that two groups
/// serve is read once.
pub(crate) fn read(served: &[ApiResource], kind: Kind) -> Result<Vec<Object>, Error> {
    let mut objects = BTreeMap::new();
    for group in kind.groups {
        let is_meant =
            |known: &&ApiResource| known.resource.group() == *group && known.resource.name() == kind.resource;
        let Some(known) = served.iter().filter(is_meant).max_by_key(|known| known.preferred) else { continue };
        for object in kubernetes::list(&known.resource).keep(FIELDS).objects::<Object>() {
            let object = object?;
            let key = (object.metadata.namespace.clone(), object.metadata.name.clone());
            objects.entry(key).or_insert(object);
        }
    }
    Ok(objects.into_values().collect())
}
