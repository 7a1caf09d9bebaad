//! By which fields the API server selects, per kind.
//!
//! From Kubernetes' documentation "Field Selectors" (list of supported fields) and the field label
//! conversions that the API types register. Fields that a CRD makes selectable are not known here.

/// The fields of every kind.
const EVERYWHERE: [&str; 2] = ["metadata.name", "metadata.namespace"];

/// Returns the fields by which objects of a kind can be selected.
pub(super) fn supported(group: &str, resource: &str) -> Vec<&'static str> {
    let more: &[&str] = match (group, resource) {
        ("", "pods") => &[
            "spec.nodeName",
            "spec.restartPolicy",
            "spec.schedulerName",
            "spec.serviceAccountName",
            "spec.hostNetwork",
            "status.phase",
            "status.podIP",
            "status.podIPs",
            "status.nominatedNodeName",
        ],
        ("" | "events.k8s.io", "events") => &[
            "involvedObject.kind",
            "involvedObject.namespace",
            "involvedObject.name",
            "involvedObject.uid",
            "involvedObject.apiVersion",
            "involvedObject.resourceVersion",
            "involvedObject.fieldPath",
            "reason",
            "reportingComponent",
            "source",
            "type",
        ],
        ("", "secrets") => &["type"],
        ("", "namespaces") => &["status.phase"],
        ("", "nodes") => &["spec.unschedulable"],
        ("", "services") => &["spec.clusterIP", "spec.type"],
        ("", "replicationcontrollers") | ("apps" | "extensions", "replicasets") => &["status.replicas"],
        ("batch", "jobs") => &["status.successful"],
        ("certificates.k8s.io", "certificatesigningrequests") => &["spec.signerName"],
        _ => &[],
    };
    EVERYWHERE.iter().chain(more).copied().collect()
}
