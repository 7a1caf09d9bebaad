//! How a kind of object, a single object and an access to it are named.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A kind of object as the Kubernetes API serves it: group, version and plural name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ResourceType {
    /// The API group; empty for the core group.
    pub group: String,
    /// The version; empty for the one that the server prefers.
    pub version: String,
    /// The plural name in lower case, such as `pods`; never with a subresource.
    pub resource: String,
}

impl ResourceType {
    /// Returns the kind of this group, version and plural name.
    pub fn new(group: impl Into<String>, version: impl Into<String>, resource: impl Into<String>) -> Self {
        Self { group: group.into(), version: version.into(), resource: resource.into() }
    }

    /// Returns `version` for the core group and `group/version` for all others, as in `apiVersion`.
    #[must_use]
    pub fn api_version(&self) -> String {
        if self.group.is_empty() { self.version.clone() } else { format!("{}/{}", self.group, self.version) }
    }
}

/// `group/version/resource`, or `version/resource` for the core group; an empty version is left out.
impl fmt::Display for ResourceType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in [&self.group, &self.version] {
            if !part.is_empty() {
                write!(formatter, "{part}/")?;
            }
        }
        formatter.write_str(&self.resource)
    }
}

/// A kind that a cluster serves, as discovery describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiResource {
    /// How to name it in requests; its version is never empty.
    #[serde(flatten)]
    pub resource_type: ResourceType,
    /// The kind of its objects, such as `Pod`.
    pub kind: String,
    /// Whether its objects live in namespaces.
    pub namespaced: bool,
    /// The verbs that it supports, sorted.
    pub verbs: Vec<String>,
    /// Whether its version is the one that the server prefers for this group and resource.
    pub preferred: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_written_with_what_it_has() {
        assert_eq!(ResourceType::new("apps", "v1", "deployments").to_string(), "apps/v1/deployments");
        assert_eq!(ResourceType::new("", "v1", "pods").to_string(), "v1/pods");
        assert_eq!(ResourceType::new("apps", "", "deployments").to_string(), "apps/deployments");
        assert_eq!(ResourceType::new("", "v1", "pods").api_version(), "v1");
    }
}
