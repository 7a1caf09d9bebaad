//! Whether one rule covers one access.

use crate::field_path::{FieldPath, FieldSet};

use super::{Access, KubernetesRule, Scope, Verb};

/// What may be seen of the objects of an allowed access.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AllowedFields {
    /// Everything.
    All,
    /// These fields, and what every projection keeps.
    Only(FieldSet),
}

impl AllowedFields {
    pub(super) fn union(self, other: Self) -> Self {
        match (self, other) {
            (Self::Only(left), Self::Only(right)) => Self::Only(left.union(right)),
            _ => Self::All,
        }
    }

    pub(super) fn intersection(self, other: Self) -> Self {
        match (self, other) {
            (Self::All, other) => other,
            (only, Self::All) => only,
            (Self::Only(left), Self::Only(right)) => Self::Only(left.intersection(&right)),
        }
    }
}

const WILDCARD: &str = "*";

fn lists(list: &[String], value: &str) -> bool {
    list.iter().any(|member| member == value)
}

fn not_narrowed(list: &[String]) -> bool {
    list.is_empty() || lists(list, WILDCARD)
}

impl KubernetesRule {
    /// Returns what the rule lets be seen of the access, or none if it does not cover it.
    ///
    /// A rule narrowed to fields covers only reads of whole objects: there is nothing to cut out of a
    /// write, or out of a subresource such as a log. A path that does not parse lets nothing be seen.
    #[must_use]
    pub fn covers(&self, access: &Access) -> Option<AllowedFields> {
        let covered = access.is_well_formed()
            && (self.verbs.contains(&access.verb) || self.verbs.contains(&Verb::All))
            && (lists(&self.api_groups, &access.group) || lists(&self.api_groups, WILDCARD))
            && self.covers_resource(access)
            && self.covers_scope(&access.scope)
            && (not_narrowed(&self.names) || access.name.as_deref().is_some_and(|name| lists(&self.names, name)));
        if !covered {
            return None;
        }
        if not_narrowed(&self.fields) {
            return Some(AllowedFields::All);
        }
        let cuttable = access.verb.is_read() && access.subresource.is_none();
        cuttable.then(|| {
            AllowedFields::Only(self.fields.iter().filter_map(|path| path.parse::<FieldPath>().ok()).collect())
        })
    }

    fn covers_resource(&self, access: &Access) -> bool {
        if lists(&self.resources, &access.full_resource()) {
            return true;
        }
        let is_secret = access.group.is_empty() && access.resource == "secrets";
        lists(&self.resources, WILDCARD) && access.subresource.is_none() && !is_secret
    }

    fn covers_scope(&self, scope: &Scope) -> bool {
        if lists(&self.namespaces, WILDCARD) {
            return true;
        }
        match scope {
            Scope::Cluster => self.namespaces.is_empty(),
            Scope::AllNamespaces => false,
            Scope::Namespace(namespace) => lists(&self.namespaces, namespace),
        }
    }
}

/// Returns the union of what the covering rules let be seen, or none if no rule covers the access.
pub(super) fn covered_by(rules: &[KubernetesRule], access: &Access) -> Option<AllowedFields> {
    rules.iter().filter_map(|rule| rule.covers(access)).reduce(AllowedFields::union)
}
