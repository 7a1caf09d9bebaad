//! What is done to an object: the verbs of Kubernetes authorisation.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A verb of a request to the API server, as RBAC names it.
///
/// See "Determine the Request Verb" in Kubernetes' authorisation documentation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verb {
    /// Reads one object, or one subresource such as a log.
    Get,
    /// Reads a collection.
    List,
    /// Follows the changes of a collection.
    Watch,
    /// Makes a new object, or posts to a subresource such as `pods/eviction`.
    Create,
    /// Replaces an object.
    Update,
    /// Changes parts of an object; also a server-side apply.
    Patch,
    /// Removes one object.
    Delete,
    /// Removes a collection.
    DeleteCollection,
    /// Every verb. Only in rules; an access that carries it is refused.
    #[serde(rename = "*")]
    All,
}

impl Verb {
    /// Returns the verb as RBAC writes it: lower case, `*` for all.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Get => "get",
            Self::List => "list",
            Self::Watch => "watch",
            Self::Create => "create",
            Self::Update => "update",
            Self::Patch => "patch",
            Self::Delete => "delete",
            Self::DeleteCollection => "deletecollection",
            Self::All => "*",
        }
    }

    /// Whether it leaves the cluster as it was. [`Verb::All`] does not.
    #[must_use]
    pub fn is_read(self) -> bool {
        matches!(self, Self::Get | Self::List | Self::Watch)
    }

    /// Whether it reaches a collection of objects rather than one.
    #[must_use]
    pub fn is_collection(self) -> bool {
        matches!(self, Self::List | Self::Watch | Self::DeleteCollection)
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}
