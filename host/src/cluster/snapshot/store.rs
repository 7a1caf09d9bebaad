//! The objects of a snapshot as they are now: recorded ones, and what writes made of them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use porthole_core::resource::{ApiResource, ResourceType};
use tokio::sync::watch;

use super::kinds::{self, Scope, table};
use crate::cluster::{ClusterError, Object, Status};

/// Objects of one kind by namespace and name, which is the order of lists.
pub(super) type Objects = BTreeMap<(String, String), Object>;

/// States of collections that pages in progress may still ask for; older ones are answered with 410.
const VIEWS: usize = 64;

/// Bytes by which writes may make a snapshot grow; without it a plugin that creates for ever fills the memory.
const OVERLAY_BYTES: usize = 256 << 20;

/// What a writer can do besides reading; patching includes server-side apply.
const VERBS: [&str; 6] = ["create", "delete", "get", "list", "patch", "watch"];

/// All objects of one kind.
#[derive(Debug, Clone)]
pub(super) struct Collection {
    pub(super) kind: String,
    pub(super) scope: Scope,
    pub(super) preferred: bool,
    /// Shared with readers; a write copies the map, not the objects.
    pub(super) objects: Arc<Objects>,
}

/// The state of a snapshot.
#[derive(Debug)]
pub(super) struct Store {
    collections: BTreeMap<ResourceType, Collection>,
    views: VecDeque<View>,
    revision: u64,
    /// How much writes may still add.
    left_bytes: usize,
    changed: watch::Sender<u64>,
}

/// A collection at an earlier revision.
#[derive(Debug)]
struct View {
    resource_type: ResourceType,
    revision: u64,
    objects: Arc<Objects>,
}

impl Store {
    /// Starts at the highest `resourceVersion` that an object has.
    pub(super) fn new(collections: BTreeMap<ResourceType, Collection>) -> Self {
        let objects = collections.values().flat_map(|collection| collection.objects.values());
        let revision = objects.filter_map(recorded_revision).max().unwrap_or(1);
        let changed = watch::Sender::new(revision);
        Self { collections, views: VecDeque::new(), revision, left_bytes: OVERLAY_BYTES, changed }
    }

    /// Returns the revision of the last write.
    pub(super) fn revision(&self) -> u64 {
        self.revision
    }

    /// Returns a receiver that sees each later revision.
    pub(super) fn subscribe(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Completes the version of a kind and returns its collection.
    ///
    /// # Errors
    ///
    /// [`ClusterError::NotServed`] for a kind or version that is not there.
    pub(super) fn resolve(&self, asked: &ResourceType) -> Result<(&ResourceType, &Collection), ClusterError> {
        let not_served = || ClusterError::NotServed(asked.clone());
        if !asked.version.is_empty() {
            return self.collections.get_key_value(asked).ok_or_else(not_served);
        }
        let same = |kind: &&ResourceType| kind.group == asked.group && kind.resource == asked.resource;
        let mut found = self.collections.iter().filter(|(kind, _)| same(kind));
        found.find(|(_, collection)| collection.preferred).ok_or_else(not_served)
    }

    /// Makes sure that a kind which Kubernetes knows can be written, even if nothing of it was recorded.
    ///
    /// # Errors
    ///
    /// As [`Store::resolve`].
    pub(super) fn resolve_for_write(&mut self, asked: &ResourceType) -> Result<(ResourceType, Scope), ClusterError> {
        if let Ok((kind, collection)) = self.resolve(asked) {
            return Ok((kind.clone(), collection.scope));
        }
        let known = |entry: &&table::BuiltIn| entry.group == asked.group && entry.resource == asked.resource;
        let version = |entry: &table::BuiltIn| match asked.version.as_str() {
            "" => entry.versions.first().copied(),
            version => entry.versions.iter().copied().find(|known| *known == version),
        };
        let entry = table::TABLE.iter().find(known);
        let (Some(entry), Some(version)) = (entry, entry.and_then(version)) else {
            return Err(ClusterError::NotServed(asked.clone()));
        };
        let has_version = self.resolve(&ResourceType { version: String::new(), ..asked.clone() }).is_ok();
        let scope = kinds::built_in(entry.group, entry.kind).map_or(Scope::Namespaced, |naming| naming.scope);
        let mut collection = Collection::new(entry.kind.to_owned(), scope);
        collection.preferred = !has_version;
        let resource_type = ResourceType::new(entry.group, version, entry.resource);
        self.collections.insert(resource_type.clone(), collection);
        Ok((resource_type, scope))
    }

    /// Returns the kind of a collection's objects.
    pub(super) fn kind(&self, resource_type: &ResourceType) -> String {
        self.collections.get(resource_type).map(|collection| collection.kind.clone()).unwrap_or_default()
    }

    /// Returns all collections, sorted by group, version and name.
    pub(super) fn collections(&self) -> impl Iterator<Item = (&ResourceType, &Collection)> {
        self.collections.iter()
    }

    /// Returns one object.
    pub(super) fn object(&self, resource_type: &ResourceType, namespace: &str, name: &str) -> Option<&Object> {
        let key = (namespace.to_owned(), name.to_owned());
        self.collections.get(resource_type)?.objects.get(&key)
    }

    /// Keeps the present state of a collection for the pages that follow.
    pub(super) fn keep_view(&mut self, resource_type: &ResourceType, revision: u64, objects: &Arc<Objects>) {
        if self.view(resource_type, revision).is_some() {
            return;
        }
        if self.views.len() == VIEWS {
            self.views.pop_front();
        }
        let (resource_type, objects) = (resource_type.clone(), Arc::clone(objects));
        self.views.push_back(View { resource_type, revision, objects });
    }

    /// Returns a state that was kept.
    pub(super) fn view(&self, resource_type: &ResourceType, revision: u64) -> Option<Arc<Objects>> {
        let same = |view: &&View| view.revision == revision && view.resource_type == *resource_type;
        self.views.iter().find(same).map(|view| Arc::clone(&view.objects))
    }

    /// Tells whether `bytes` more would be too much.
    ///
    /// # Errors
    ///
    /// [`ClusterError::Refused`] with the code of an API server whose storage is full.
    pub(super) fn check_room(&self, bytes: usize) -> Result<(), ClusterError> {
        if bytes <= self.left_bytes {
            return Ok(());
        }
        let message = format!("writes to a snapshot may add at most {OVERLAY_BYTES} bytes");
        Err(ClusterError::Refused(Status { code: 507, reason: "InsufficientStorage".to_owned(), message }))
    }

    /// Stores an object under the next revision, which its maker has already put into it.
    pub(super) fn put(&mut self, resource_type: &ResourceType, object: Object) {
        if let Some(collection) = self.collections.get_mut(resource_type) {
            let (namespace, name) = object.key();
            let key = (namespace.to_owned(), name.to_owned());
            let added = object.json().len();
            let replaced = Arc::make_mut(&mut collection.objects).insert(key, object);
            let freed = replaced.map_or(0, |replaced| replaced.json().len());
            self.left_bytes = self.left_bytes.saturating_add(freed).saturating_sub(added);
            self.advance();
        }
    }

    /// Removes an object.
    pub(super) fn remove(&mut self, resource_type: &ResourceType, namespace: &str, name: &str) -> Option<Object> {
        let collection = self.collections.get_mut(resource_type)?;
        let removed = Arc::make_mut(&mut collection.objects).remove(&(namespace.to_owned(), name.to_owned()))?;
        self.left_bytes = self.left_bytes.saturating_add(removed.json().len());
        self.advance();
        Some(removed)
    }

    fn advance(&mut self) {
        self.revision += 1;
        self.changed.send_replace(self.revision);
    }

    /// Describes what is served, sorted by group, version and name.
    pub(super) fn api_resources(&self) -> Vec<ApiResource> {
        let describe = |(resource_type, collection): (&ResourceType, &Collection)| ApiResource {
            resource_type: resource_type.clone(),
            kind: collection.kind.clone(),
            namespaced: collection.scope == Scope::Namespaced,
            verbs: VERBS.map(str::to_owned).to_vec(),
            preferred: collection.preferred,
        };
        self.collections.iter().map(describe).collect()
    }
}

fn recorded_revision(object: &Object) -> Option<u64> {
    #[derive(serde::Deserialize)]
    struct Skeleton {
        metadata: Metadata,
    }
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Metadata {
        resource_version: String,
    }
    serde_json::from_slice::<Skeleton>(object.json()).ok()?.metadata.resource_version.parse().ok()
}
