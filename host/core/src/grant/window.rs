//! The window through which a plugin sees the cluster: what it asks for and what it was granted.

use super::cover::covered_by;
use super::{Access, AllowedFields, Denial, Missing, Requests};

/// What was decided about an access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It may go on.
    Allowed {
        /// What may be seen of the objects.
        fields: AllowedFields,
    },
    /// It must not.
    Denied(Denial),
}

/// What a plugin asks for and what it was granted. An access needs both.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Window {
    /// What the plugin's manifest asks for.
    pub requests: Requests,
    /// What the operator granted; the default is nothing.
    pub grants: Requests,
}

impl Window {
    /// Decides about one access. Pure; costs a comparison per rule.
    #[must_use]
    pub fn decide(&self, access: &Access) -> Decision {
        let denied = |missing| Decision::Denied(Denial::new(access, missing));
        if !access.is_well_formed() {
            return denied(Missing::Malformed);
        }
        let Some(requested) = covered_by(&self.requests.kubernetes, access) else {
            return denied(Missing::NotRequested);
        };
        let Some(granted) = covered_by(&self.grants.kubernetes, access) else {
            return denied(Missing::NotGranted);
        };
        Decision::Allowed { fields: requested.intersection(granted) }
    }

    /// Whether files may be placed at the tarball's root.
    #[must_use]
    pub fn may_collect(&self) -> bool {
        self.requests.collect.is_some() && self.grants.collect.is_some()
    }

    /// Whether the variable of this name may be passed on.
    #[must_use]
    pub fn may_read_variable(&self, name: &str) -> bool {
        let names = |side: &Requests| side.environment.iter().any(|rule| rule.name == name);
        names(&self.requests) && names(&self.grants)
    }
}
