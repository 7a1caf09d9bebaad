//! Which kinds a snapshot answers for, and what their collections hold when it is opened.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use porthole_core::resource::ResourceType;
use serde_json::Value;

use super::error::Warning;
use super::found::{self, Found};
use super::intake::Intake;
use super::kinds::{self, Definitions, Naming, Scope, table};
use super::layout::Layout;
use super::store::{Collection, Objects};

/// The plural of the one kind that dumps leave out for safety: to answer "there are none" would be a lie.
const NEVER_EMPTY: &str = "secrets";

/// The collections of a snapshot, and what was left out of them.
pub(super) struct Served {
    pub(super) collections: BTreeMap<ResourceType, Collection>,
    pub(super) warnings: Vec<Warning>,
}

/// Sorts the objects into collections and adds empty ones for kinds of which there are none.
///
/// A kind without objects is served where its absence is known: when a definition of it was recorded; when
/// the recorded group list says that the server had its group version (Sonobuoy leaves empty lists out);
/// and when the snapshot is a collection of manifests, which is all there is. Must-gathers and
/// `cluster-info dump` hold a selection, so what they do not hold is not served. Secrets are never served
/// empty except in manifests.
pub(super) fn serve(intake: &mut Intake) -> Served {
    let mut served = Served { collections: BTreeMap::new(), warnings: Vec::new() };
    let mut definitions = Definitions::default();
    let is_definition = |found: &&Found| found.kind == "CustomResourceDefinition";
    for definition in intake.found.iter().filter(is_definition).filter_map(|found| found.object.value().ok()) {
        definitions.add(&definition);
    }
    for found in std::mem::take(&mut intake.found) {
        served.add(found, &definitions);
    }
    for defined in definitions.iter() {
        if !served.versions(&defined.group, &defined.naming.resource).is_empty() {
            continue;
        }
        for version in &defined.versions {
            served.add_empty(&defined.group, version, &defined.kind, &defined.naming);
        }
    }
    let groups = intake
        .groups
        .as_ref()
        .and_then(|groups| serde_json::from_slice(groups).ok())
        .map(|groups: Value| group_versions(&groups));
    let is_selection = intake.layouts.contains(&Layout::MustGather) || intake.layouts.contains(&Layout::ClusterInfo);
    match groups {
        Some(groups) => served.add_built_in(|group, version| groups.contains(&(group.to_owned(), version.to_owned()))),
        None if is_selection || intake.layouts.contains(&Layout::Sonobuoy) => {}
        None => served.add_built_in(|_, _| true),
    }
    if intake.layouts.iter().any(|layout| *layout != Layout::Manifests) {
        served.collections.retain(|kind, collection| kind.resource != NEVER_EMPTY || !collection.objects.is_empty());
    }
    served.mark_preferred();
    served
}

/// Reads the group versions out of an `APIGroupList`; the core group is not in it.
fn group_versions(groups: &Value) -> BTreeSet<(String, String)> {
    let mut known = BTreeSet::from([(String::new(), "v1".to_owned())]);
    let groups = groups.get("groups").and_then(Value::as_array);
    let versions = groups.into_iter().flatten().filter_map(|group| group.get("versions")?.as_array()).flatten();
    for version in versions.filter_map(|version| version.get("groupVersion")?.as_str()) {
        if let Some((group, version)) = version.split_once('/') {
            known.insert((group.to_owned(), version.to_owned()));
        }
    }
    known
}

impl Served {
    fn add(&mut self, found: Found, definitions: &Definitions) {
        let Found { group, version, kind, resource, object } = found;
        let naming = definitions.naming(&group, &kind).cloned().or_else(|| kinds::built_in(&group, &kind));
        let naming = naming.unwrap_or_else(|| Naming {
            resource: resource.unwrap_or_else(|| kinds::guess_plural(&kind)),
            scope: if object.namespace().is_some() { Scope::Namespaced } else { Scope::Cluster },
        });
        let object = match naming.scope {
            Scope::Namespaced if object.namespace().is_none() => found::in_default_namespace(&object).unwrap_or(object),
            _ => object,
        };
        let resource_type = ResourceType::new(group, version, naming.resource);
        let collection = self.collections.entry(resource_type).or_insert_with(|| Collection::new(kind, naming.scope));
        let objects = Arc::make_mut(&mut collection.objects);
        let (namespace, name) = object.key();
        let key = (namespace.to_owned(), name.to_owned());
        match objects.get(&key) {
            Some(first) if first.json() != object.json() => self.warnings.push(Warning {
                path: format!("{} {namespace}/{name}", collection.kind),
                reason: "is recorded twice with different content; the first is used".to_owned(),
            }),
            Some(_) => {}
            None => {
                objects.insert(key, object);
            }
        }
    }

    fn versions(&self, group: &str, resource: &str) -> Vec<&str> {
        let same = |kind: &&ResourceType| kind.group == group && kind.resource == resource;
        self.collections.keys().filter(same).map(|kind| kind.version.as_str()).collect()
    }

    fn add_empty(&mut self, group: &str, version: &str, kind: &str, naming: &Naming) {
        let resource_type = ResourceType::new(group, version, &naming.resource);
        self.collections.entry(resource_type).or_insert_with(|| Collection::new(kind.to_owned(), naming.scope));
    }

    /// Adds Kubernetes' own kinds in the best version that `is_known`, where none is recorded.
    fn add_built_in(&mut self, is_known: impl Fn(&str, &str) -> bool) {
        for entry in table::TABLE {
            let is_gone = table::GONE_GROUPS.contains(&entry.group) || table::GONE_KINDS.contains(&entry.kind);
            let version = entry.versions.iter().find(|version| is_known(entry.group, version));
            let (Some(version), true) = (version, self.versions(entry.group, entry.resource).is_empty()) else {
                continue;
            };
            if let (false, Some(naming)) = (is_gone, kinds::built_in(entry.group, entry.kind)) {
                self.add_empty(entry.group, version, entry.kind, &naming);
            }
        }
    }

    /// Marks one version of each kind: one with objects if there is one, then the server's order.
    fn mark_preferred(&mut self) {
        let mut best: BTreeMap<(String, String), (bool, ResourceType)> = BTreeMap::new();
        for (kind, collection) in &self.collections {
            let candidate = (collection.objects.is_empty(), kind.clone());
            let slot = best.entry((kind.group.clone(), kind.resource.clone())).or_insert_with(|| candidate.clone());
            let rank = |(is_empty, kind): &(bool, ResourceType)| (*is_empty, kinds::preference(&kind.version));
            if rank(&candidate) < rank(slot) {
                *slot = candidate;
            }
        }
        for (_, kind) in best.into_values() {
            if let Some(collection) = self.collections.get_mut(&kind) {
                collection.preferred = true;
            }
        }
    }
}

impl Collection {
    pub(super) fn new(kind: String, scope: Scope) -> Self {
        Self { kind, scope, preferred: false, objects: Arc::new(Objects::new()) }
    }
}
