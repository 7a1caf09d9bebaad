//! Why an access gave nothing.

use porthole_core::budget::BudgetExceeded;
use porthole_core::grant::Denial;
use porthole_core::resource::ResourceType;

use crate::cluster::ClusterError;

/// What an API server answered when it refused.
pub type Refusal = crate::cluster::Status;

/// Why an access gave nothing; each of them is a value that the guest can handle.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CapabilityError {
    /// Not requested, or not granted; with what would allow it. The cluster was not asked.
    #[error("{}", .0.1)]
    Denied(Box<(Denial, String)>),
    /// The plugin has used up what it may use. The cluster was not asked.
    #[error("the budget `{}` of {} is used up", .0.name, .0.value)]
    BudgetExceeded(BudgetExceeded),
    /// There is no such object.
    #[error("there is no such object")]
    NotFound,
    /// The cluster does not serve this kind.
    #[error("the cluster does not serve `{0}`")]
    NotServed(ResourceType),
    /// The request makes no sense.
    #[error("{0}")]
    Invalid(String),
    /// The write conflicts with an existing object or another writer's fields.
    #[error("{}", .0.message)]
    Conflict(Refusal),
    /// The list or watch is too old to go on.
    #[error("the list is too old to go on")]
    Expired,
    /// The API server refused.
    #[error("{}", .0.message)]
    Refused(Refusal),
    /// The cluster did not answer.
    #[error("{0}")]
    Unavailable(String),
    /// This cluster cannot answer such a question.
    #[error("{0}")]
    Unsupported(String),
}

impl From<ClusterError> for CapabilityError {
    fn from(error: ClusterError) -> Self {
        match error {
            ClusterError::NotFound { .. } => Self::NotFound,
            ClusterError::NotServed(resource_type) => Self::NotServed(resource_type),
            ClusterError::Invalid(what) => Self::Invalid(what),
            ClusterError::Conflict(status) => Self::Conflict(status),
            ClusterError::Expired => Self::Expired,
            ClusterError::Forbidden(status) | ClusterError::Refused(status) => Self::Refused(status),
            ClusterError::Unavailable(what) | ClusterError::Storage(what) => Self::Unavailable(what),
            ClusterError::Unsupported(what) => Self::Unsupported(what),
        }
    }
}

impl From<BudgetExceeded> for CapabilityError {
    fn from(exceeded: BudgetExceeded) -> Self {
        Self::BudgetExceeded(exceeded)
    }
}
