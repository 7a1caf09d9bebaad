//! From what a guest asks to an access that can be decided.

use porthole_core::grant::{Access, AllowedFields, Decision, Scope, Verb};
use porthole_core::resource::{ApiResource, ResourceType};

use super::Gate;
use super::error::CapabilityError;
use crate::cluster::ClusterError;

/// What an access is about, once discovery has said what the name means.
pub(super) struct Resolved {
    /// The kind with its version filled in.
    pub(super) resource_type: ResourceType,
    /// What the guest may see of its objects.
    pub(super) fields: AllowedFields,
}

impl Gate {
    /// Decides an access, and fills the kind's version in.
    ///
    /// The decision comes first: a plugin does not learn from an error what it may not ask.
    pub(super) async fn resolve(
        &self,
        verb: Verb,
        resource_type: &ResourceType,
        subresource: Option<&str>,
        namespace: Option<&str>,
        name: Option<&str>,
    ) -> Result<Resolved, CapabilityError> {
        let served = match find(&self.cluster.api_resources().await?, resource_type) {
            Some(served) => Ok(served.clone()),
            None => Err(CapabilityError::from(ClusterError::NotServed(resource_type.clone()))),
        };
        let scope = match (namespace, &served) {
            (Some(namespace), _) => Scope::Namespace(namespace.to_owned()),
            (None, Ok(served)) if !served.namespaced => Scope::Cluster,
            (None, _) => Scope::AllNamespaces,
        };
        let access = Access {
            verb,
            group: resource_type.group.clone(),
            resource: resource_type.resource.clone(),
            subresource: subresource.map(str::to_owned),
            scope,
            name: name.map(str::to_owned),
        };
        let fields = self.decide(&access)?;
        let served = served?;
        if !served.namespaced && namespace.is_some() {
            return Err(CapabilityError::Invalid(format!("`{resource_type}` is cluster-scoped: name no namespace")));
        }
        Ok(Resolved { resource_type: served.resource_type, fields })
    }

    /// Decides an access that needs no discovery.
    pub(super) fn decide(&self, access: &Access) -> Result<AllowedFields, CapabilityError> {
        match self.window.decide(access) {
            Decision::Allowed { fields } => Ok(fields),
            Decision::Denied(denial) => {
                let remedy = denial.remedy(&self.plugin);
                Err(CapabilityError::Denied(Box::new((denial, remedy))))
            }
        }
    }

    /// Counts one request to the API, and waits until the plugin's rate allows it.
    pub(super) async fn pace(&self) {
        let wait = self.meter().request(self.started.elapsed());
        if !wait.is_zero() {
            tokio::time::sleep(wait).await;
        }
    }
}

/// Finds what a name means: the version that is asked for, or the preferred one.
fn find<'a>(served: &'a [ApiResource], wanted: &ResourceType) -> Option<&'a ApiResource> {
    let mut matching = served.iter().filter(|served| {
        let served = &served.resource_type;
        served.group == wanted.group
            && served.resource == wanted.resource
            && (wanted.version.is_empty() || served.version == wanted.version)
    });
    let first = matching.clone().next();
    matching.find(|served| served.preferred).or(first)
}
