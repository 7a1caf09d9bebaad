//! Why a cluster gave no answer.

use porthole_core::resource::ResourceType;

/// What the API server said when it refused: the parts of a Kubernetes `Status` that matter.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Status {
    /// The HTTP status code.
    #[serde(default)]
    pub code: u16,
    /// The machine-readable reason, such as `Forbidden`; may be empty.
    #[serde(default)]
    pub reason: String,
    /// The text for people.
    #[serde(default)]
    pub message: String,
}

/// Why a cluster gave no answer. The same for a live cluster and a snapshot.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ClusterError {
    /// There is no such object.
    #[error("there is no {resource} `{name}`{}", in_namespace(namespace.as_deref()))]
    NotFound {
        /// The kind.
        resource: ResourceType,
        /// The namespace, for a namespaced kind.
        namespace: Option<String>,
        /// The name.
        name: String,
    },
    /// The cluster does not serve this kind.
    #[error("the cluster does not serve `{0}`")]
    NotServed(ResourceType),
    /// The request makes no sense, and no cluster would answer it.
    #[error("{0}")]
    Invalid(String),
    /// The write conflicts with an existing object or another writer's fields (409).
    #[error("{}", .0.message)]
    Conflict(Status),
    /// The continue token or resource version is too old (410).
    #[error("the list is too old to go on")]
    Expired,
    /// The credentials were not accepted (401) or do not suffice (403).
    #[error("{}", .0.message)]
    Forbidden(Status),
    /// The API server refused for another reason.
    #[error("{}", .0.message)]
    Refused(Status),
    /// The cluster could not be reached or did not answer in time, also after retries.
    #[error("the cluster could not be reached: {0}")]
    Unavailable(String),
    /// This cluster cannot answer such a question at all.
    #[error("{0}")]
    Unsupported(String),
    /// The host's own storage failed while answering.
    #[error("storing the cluster's answer failed: {0}")]
    Storage(String),
}

fn in_namespace(namespace: Option<&str>) -> String {
    namespace.map_or_else(String::new, |namespace| format!(" in namespace `{namespace}`"))
}
