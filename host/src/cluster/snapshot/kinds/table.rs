//! The kinds that Kubernetes itself serves or once served, as its API references list them.

/// One kind of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cluster::snapshot) struct BuiltIn {
    /// The group.
    pub(in crate::cluster::snapshot) group: &'static str,
    /// Its versions, best first.
    pub(in crate::cluster::snapshot) versions: &'static [&'static str],
    /// The kind.
    pub(in crate::cluster::snapshot) kind: &'static str,
    /// The plural name.
    pub(in crate::cluster::snapshot) resource: &'static str,
    /// Whether its objects live in namespaces.
    pub(in crate::cluster::snapshot) namespaced: bool,
}

const fn namespaced(
    group: &'static str,
    versions: &'static [&'static str],
    kind: &'static str,
    resource: &'static str,
) -> BuiltIn {
    BuiltIn { group, versions, kind, resource, namespaced: true }
}

const fn global(
    group: &'static str,
    versions: &'static [&'static str],
    kind: &'static str,
    resource: &'static str,
) -> BuiltIn {
    BuiltIn { group, versions, kind, resource, namespaced: false }
}

const V1: &[&str] = &["v1"];
const V1_V1BETA1: &[&str] = &["v1", "v1beta1"];
const V1BETA1: &[&str] = &["v1beta1"];
const V1_DOWN_TO_ALPHA: &[&str] = &["v1", "v1beta2", "v1beta1", "v1alpha3", "v1alpha2", "v1alpha1"];
const RBAC: &[&str] = &["v1", "v1beta1", "v1alpha1"];
const APPS: &[&str] = &["v1", "v1beta2", "v1beta1"];
const ADMISSION: &str = "admissionregistration.k8s.io";
const RBAC_GROUP: &str = "rbac.authorization.k8s.io";
const FLOWS: &[&str] = &["v1", "v1beta3", "v1beta2", "v1beta1", "v1alpha1"];

/// Every kind once per group; where a kind moved, the group that serves it today comes first.
pub(in crate::cluster::snapshot) const TABLE: &[BuiltIn] = &[
    namespaced("", V1, "ConfigMap", "configmaps"),
    global("", V1, "ComponentStatus", "componentstatuses"),
    namespaced("", V1, "Endpoints", "endpoints"),
    namespaced("", V1, "Event", "events"),
    namespaced("", V1, "LimitRange", "limitranges"),
    global("", V1, "Namespace", "namespaces"),
    global("", V1, "Node", "nodes"),
    global("", V1, "PersistentVolume", "persistentvolumes"),
    namespaced("", V1, "PersistentVolumeClaim", "persistentvolumeclaims"),
    namespaced("", V1, "Pod", "pods"),
    namespaced("", V1, "PodTemplate", "podtemplates"),
    namespaced("", V1, "ReplicationController", "replicationcontrollers"),
    namespaced("", V1, "ResourceQuota", "resourcequotas"),
    namespaced("", V1, "Secret", "secrets"),
    namespaced("", V1, "Service", "services"),
    namespaced("", V1, "ServiceAccount", "serviceaccounts"),
    namespaced("apps", APPS, "ControllerRevision", "controllerrevisions"),
    namespaced("apps", APPS, "DaemonSet", "daemonsets"),
    namespaced("apps", APPS, "Deployment", "deployments"),
    namespaced("apps", APPS, "ReplicaSet", "replicasets"),
    namespaced("apps", APPS, "StatefulSet", "statefulsets"),
    namespaced("batch", &["v1", "v1beta1", "v2alpha1"], "CronJob", "cronjobs"),
    namespaced("batch", V1, "Job", "jobs"),
    namespaced(
        "autoscaling",
        &["v2", "v1", "v2beta2", "v2beta1"],
        "HorizontalPodAutoscaler",
        "horizontalpodautoscalers",
    ),
    global("certificates.k8s.io", V1_V1BETA1, "CertificateSigningRequest", "certificatesigningrequests"),
    global("certificates.k8s.io", &["v1beta1", "v1alpha1"], "ClusterTrustBundle", "clustertrustbundles"),
    namespaced("coordination.k8s.io", V1_V1BETA1, "Lease", "leases"),
    namespaced("discovery.k8s.io", V1_V1BETA1, "EndpointSlice", "endpointslices"),
    namespaced("events.k8s.io", V1_V1BETA1, "Event", "events"),
    global("flowcontrol.apiserver.k8s.io", FLOWS, "FlowSchema", "flowschemas"),
    global("flowcontrol.apiserver.k8s.io", FLOWS, "PriorityLevelConfiguration", "prioritylevelconfigurations"),
    namespaced("networking.k8s.io", V1_V1BETA1, "Ingress", "ingresses"),
    global("networking.k8s.io", V1_V1BETA1, "IngressClass", "ingressclasses"),
    namespaced("networking.k8s.io", V1, "NetworkPolicy", "networkpolicies"),
    global("networking.k8s.io", &["v1", "v1beta1", "v1alpha1"], "IPAddress", "ipaddresses"),
    global("networking.k8s.io", &["v1", "v1beta1", "v1alpha1"], "ServiceCIDR", "servicecidrs"),
    global("node.k8s.io", &["v1", "v1beta1", "v1alpha1"], "RuntimeClass", "runtimeclasses"),
    namespaced("policy", V1_V1BETA1, "PodDisruptionBudget", "poddisruptionbudgets"),
    global("policy", V1BETA1, "PodSecurityPolicy", "podsecuritypolicies"),
    global(RBAC_GROUP, RBAC, "ClusterRole", "clusterroles"),
    global(RBAC_GROUP, RBAC, "ClusterRoleBinding", "clusterrolebindings"),
    namespaced(RBAC_GROUP, RBAC, "Role", "roles"),
    namespaced(RBAC_GROUP, RBAC, "RoleBinding", "rolebindings"),
    global("resource.k8s.io", V1_DOWN_TO_ALPHA, "DeviceClass", "deviceclasses"),
    namespaced("resource.k8s.io", V1_DOWN_TO_ALPHA, "ResourceClaim", "resourceclaims"),
    namespaced("resource.k8s.io", V1_DOWN_TO_ALPHA, "ResourceClaimTemplate", "resourceclaimtemplates"),
    global("resource.k8s.io", V1_DOWN_TO_ALPHA, "ResourceSlice", "resourceslices"),
    global("scheduling.k8s.io", &["v1", "v1beta1", "v1alpha1"], "PriorityClass", "priorityclasses"),
    global("storage.k8s.io", V1_V1BETA1, "CSIDriver", "csidrivers"),
    global("storage.k8s.io", V1_V1BETA1, "CSINode", "csinodes"),
    namespaced("storage.k8s.io", &["v1", "v1beta1", "v1alpha1"], "CSIStorageCapacity", "csistoragecapacities"),
    global("storage.k8s.io", V1_V1BETA1, "StorageClass", "storageclasses"),
    global("storage.k8s.io", &["v1", "v1beta1", "v1alpha1"], "VolumeAttachment", "volumeattachments"),
    global("storage.k8s.io", &["v1", "v1beta1", "v1alpha1"], "VolumeAttributesClass", "volumeattributesclasses"),
    global(ADMISSION, V1_V1BETA1, "MutatingWebhookConfiguration", "mutatingwebhookconfigurations"),
    global(ADMISSION, V1_V1BETA1, "ValidatingWebhookConfiguration", "validatingwebhookconfigurations"),
    global(ADMISSION, &["v1", "v1beta1", "v1alpha1"], "ValidatingAdmissionPolicy", "validatingadmissionpolicies"),
    global(
        ADMISSION,
        &["v1", "v1beta1", "v1alpha1"],
        "ValidatingAdmissionPolicyBinding",
        "validatingadmissionpolicybindings",
    ),
    global(ADMISSION, &["v1", "v1beta1", "v1alpha1"], "MutatingAdmissionPolicy", "mutatingadmissionpolicies"),
    global(
        ADMISSION,
        &["v1", "v1beta1", "v1alpha1"],
        "MutatingAdmissionPolicyBinding",
        "mutatingadmissionpolicybindings",
    ),
    global("apiextensions.k8s.io", V1_V1BETA1, "CustomResourceDefinition", "customresourcedefinitions"),
    global("apiregistration.k8s.io", V1_V1BETA1, "APIService", "apiservices"),
    // Where kinds lived before Kubernetes 1.22 (deprecated API migration guide).
    namespaced("extensions", V1BETA1, "DaemonSet", "daemonsets"),
    namespaced("extensions", V1BETA1, "Deployment", "deployments"),
    namespaced("extensions", V1BETA1, "ReplicaSet", "replicasets"),
    namespaced("extensions", V1BETA1, "Ingress", "ingresses"),
    namespaced("extensions", V1BETA1, "NetworkPolicy", "networkpolicies"),
    global("extensions", V1BETA1, "PodSecurityPolicy", "podsecuritypolicies"),
    namespaced("settings.k8s.io", &["v1alpha1"], "PodPreset", "podpresets"),
];

/// The group versions that a current server does not serve any more: known, but not offered when empty.
pub(in crate::cluster::snapshot) const GONE_GROUPS: &[&str] = &["extensions", "settings.k8s.io"];

/// Kinds that are gone from a group which is not.
pub(in crate::cluster::snapshot) const GONE_KINDS: &[&str] = &["PodSecurityPolicy"];
