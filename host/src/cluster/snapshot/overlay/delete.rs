//! Deleting objects, and what they own or hold.

use porthole_core::resource::ResourceType;
use serde_json::Value;

use super::{conflict, not_found, server_name, stored_value};
use crate::cluster::snapshot::store::Store;
use crate::cluster::{DeleteQuery, Object, Propagation, Result, Target, WriteMode};

pub(super) fn delete(store: &mut Store, target: &Target, query: &DeleteQuery, mode: WriteMode) -> Result<()> {
    let (resource, _) = store.resolve(&target.resource_type)?;
    let resource = resource.clone();
    let namespace = target.namespace.as_deref().unwrap_or_default();
    let object = store.object(&resource, namespace, &target.name).cloned();
    let object = object.ok_or_else(|| not_found(&resource, namespace, &target.name))?;
    let uid = uid(&stored_value(&object)?).unwrap_or_default();
    if let Some(wanted) = query.uid.as_ref().filter(|wanted| **wanted != uid) {
        let message = format!(
            "Operation cannot be fulfilled on {}: Precondition failed: UID in precondition: {wanted}, UID in object meta: {uid}",
            server_name(&resource, &target.name)
        );
        return Err(conflict("Conflict", message));
    }
    if mode == WriteMode::DryRun {
        return Ok(());
    }
    store.remove(&resource, namespace, &target.name);
    if resource.group.is_empty() && resource.resource == "namespaces" {
        remove_all(store, |object| object.namespace() == Some(&target.name));
    }
    if query.propagation != Propagation::Orphan && !uid.is_empty() {
        remove_owned(store, uid);
    }
    Ok(())
}

/// Removes what is owned by an object that is gone, and what is owned by that. Each level is one pass.
fn remove_owned(store: &mut Store, uid: String) {
    let mut gone = vec![uid];
    while !gone.is_empty() {
        let owned = remove_all(store, |object| is_owned(object, &gone));
        gone = owned.iter().filter_map(uid_of).collect();
    }
}

fn is_owned(object: &Object, owners: &[String]) -> bool {
    #[derive(serde::Deserialize)]
    struct Skeleton {
        #[serde(default)]
        metadata: Metadata,
    }
    #[derive(serde::Deserialize, Default)]
    #[serde(rename_all = "camelCase")]
    struct Metadata {
        #[serde(default)]
        owner_references: Vec<Owner>,
    }
    #[derive(serde::Deserialize)]
    struct Owner {
        uid: String,
    }
    let Ok(Skeleton { metadata }) = serde_json::from_slice(object.json()) else { return false };
    // An object with several owners stays until the last of them goes.
    !metadata.owner_references.is_empty() && metadata.owner_references.iter().all(|owner| owners.contains(&owner.uid))
}

fn remove_all(store: &mut Store, is_meant: impl Fn(&Object) -> bool) -> Vec<Object> {
    let mut meant: Vec<(ResourceType, Object)> = Vec::new();
    for (resource, collection) in store.collections() {
        let found = collection.objects.values().filter(|object| is_meant(object));
        meant.extend(found.map(|object| (resource.clone(), object.clone())));
    }
    let remove = |(resource, object): (ResourceType, Object)| {
        let (namespace, name) = object.key();
        store.remove(&resource, namespace, name)
    };
    meant.into_iter().filter_map(remove).collect()
}

fn uid_of(object: &Object) -> Option<String> {
    uid(&object.value().ok()?)
}

fn uid(value: &Value) -> Option<String> {
    value.pointer("/metadata/uid")?.as_str().map(str::to_owned)
}
