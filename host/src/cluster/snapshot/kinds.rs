//! From kind to plural name, for kinds that Kubernetes, a recorded definition or only the objects know.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::Value;

pub(super) mod table;

/// How the objects of one kind are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Naming {
    pub(super) resource: String,
    pub(super) scope: Scope,
}

/// Where the objects of a kind live.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// In namespaces.
    Namespaced,
    /// Beside them.
    Cluster,
}

/// One kind that a recorded `CustomResourceDefinition` makes the server serve.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Defined {
    pub(super) group: String,
    pub(super) versions: Vec<String>,
    pub(super) kind: String,
    pub(super) naming: Naming,
}

/// The kinds of the recorded definitions, by group and kind.
#[derive(Debug, Default)]
pub(super) struct Definitions(BTreeMap<(String, String), Defined>);

impl Definitions {
    /// Takes in a `CustomResourceDefinition` of any version; what lacks a name in it is left out.
    pub(super) fn add(&mut self, definition: &Value) {
        let text = |pointer: &str| definition.pointer(pointer).and_then(Value::as_str).map(str::to_owned);
        let (Some(group), Some(kind), Some(resource)) =
            (text("/spec/group"), text("/spec/names/kind"), text("/spec/names/plural"))
        else {
            return;
        };
        let served = |version: &&Value| version.get("served").and_then(Value::as_bool).unwrap_or(true);
        let name = |version: &Value| version.get("name").and_then(Value::as_str).map(str::to_owned);
        let listed = definition.pointer("/spec/versions").and_then(Value::as_array);
        let mut versions: Vec<String> = listed.into_iter().flatten().filter(served).filter_map(name).collect();
        // `spec.version` is the only version in definitions of v1beta1 before Kubernetes 1.11.
        if versions.is_empty() {
            versions.extend(text("/spec/version"));
        }
        let scope = if text("/spec/scope").as_deref() == Some("Cluster") { Scope::Cluster } else { Scope::Namespaced };
        let naming = Naming { resource, scope };
        self.0.insert((group.clone(), kind.clone()), Defined { group, versions, kind, naming });
    }

    /// Returns the naming of a kind that a definition gives.
    pub(super) fn naming(&self, group: &str, kind: &str) -> Option<&Naming> {
        self.0.get(&(group.to_owned(), kind.to_owned())).map(|defined| &defined.naming)
    }

    /// Returns all kinds that were defined, sorted by group and kind.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Defined> {
        self.0.values()
    }
}

/// Returns Kubernetes' own naming of a kind.
pub(super) fn built_in(group: &str, kind: &str) -> Option<Naming> {
    table::TABLE.iter().find(|entry| entry.group == group && entry.kind == kind).map(|entry| Naming {
        resource: entry.resource.to_owned(),
        scope: if entry.namespaced { Scope::Namespaced } else { Scope::Cluster },
    })
}

/// Returns Kubernetes' own kind of a plural name in any spelling, such as `Pods` or `replication-controllers`.
pub(super) fn built_in_by_plural(plural: &str) -> Option<&'static table::BuiltIn> {
    let plural = plural.replace('-', "").to_lowercase();
    table::TABLE.iter().find(|entry| entry.resource == plural)
}

/// Guesses the plural as the API machinery does where nobody says it.
///
/// Source: `meta.UnsafeGuessKindToResource` of k8s.io/apimachinery.
pub(super) fn guess_plural(kind: &str) -> String {
    let singular = kind.to_lowercase();
    if singular.ends_with("endpoints") {
        return singular;
    }
    if let Some(stem) = singular.strip_suffix('y') {
        return format!("{stem}ies");
    }
    if singular.ends_with('s') || singular.ends_with('x') || singular.ends_with("ch") {
        return format!("{singular}es");
    }
    format!("{singular}s")
}

/// Orders versions as the server prefers them: `v2`, `v1`, `v2beta1`, `v1beta2`, `v1alpha1`, others.
///
/// Source: Kubernetes documentation, "Versions in `CustomResourceDefinitions`", version priority.
pub(super) fn preference(version: &str) -> impl Ord + use<> {
    let parsed = version.strip_prefix('v').and_then(|rest| {
        let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
        let (major, stage) = rest.split_at_checked(digits)?;
        let major: u32 = major.parse().ok()?;
        let (stage, minor) = match stage {
            "" => (0_u8, ""),
            stage => stage
                .strip_prefix("beta")
                .map(|minor| (1, minor))
                .or_else(|| stage.strip_prefix("alpha").map(|minor| (2, minor)))?,
        };
        let minor: u32 = if stage == 0 { 0 } else { minor.parse().ok()? };
        Some((stage, Reverse(major), Reverse(minor)))
    });
    (parsed.is_none(), parsed, version.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_preferred_as_by_the_server() {
        let mut versions = ["foo1", "v1alpha1", "v1", "v11beta2", "v2", "v1beta10", "v1beta2", "v3beta1"];
        versions.sort_by_key(|version| preference(version));
        assert_eq!(versions, ["v2", "v1", "v11beta2", "v3beta1", "v1beta10", "v1beta2", "v1alpha1", "foo1"]);
    }

    #[test]
    fn plurals_are_guessed_as_by_the_server() {
        let kinds = ["Tenant", "Policy", "Ingress", "Box", "Patch", "Endpoints"];
        assert_eq!(kinds.map(guess_plural), ["tenants", "policies", "ingresses", "boxes", "patches", "endpoints"]);
    }

    #[test]
    fn plurals_of_old_file_names_are_known() {
        let kind = |plural| built_in_by_plural(plural).map(|entry| (entry.group, entry.kind));
        assert_eq!(kind("PodDisruptionBudgets"), Some(("policy", "PodDisruptionBudget")));
        assert_eq!(kind("replication-controllers"), Some(("", "ReplicationController")));
        assert_eq!(kind("Deployments"), Some(("apps", "Deployment")));
    }
}
