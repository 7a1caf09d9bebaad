//! Writes to a snapshot, which stay in memory.

use porthole_core::resource::ResourceType;
use serde_json::{Map, Value, json};

use super::kinds::Scope;
use super::store::Store;
use crate::cluster::{ClusterError, Object, Result, Status, Write, WriteMode};

mod apply;
mod create;
mod delete;
mod evict;
mod field_set;
mod json_patch;
mod list_keys;
mod managed_fields;
mod merge;
mod patch;

/// Bytes of one object, which is about what etcd stores (1.5 MiB) and the API server reads (3 MiB). Without
/// it one object could be the whole room of the overlay.
const OBJECT_BYTES: usize = 3 << 20;

/// Makes one write, or only says what it would give.
///
/// What an API server does and this does not: defaulting, schema validation, admission, finalizers and
/// grace periods; `status` is writable like any field. Deleting removes at once, with what is owned.
pub(super) fn write(store: &mut Store, write: Write, mode: WriteMode) -> Result<Option<Object>> {
    match write {
        Write::Create { resource_type, object } => create::create(store, &resource_type, &object, mode).map(Some),
        Write::Apply { resource_type, object, field_manager, force } => {
            let manner = if force { apply::Manner::Force } else { apply::Manner::Yield };
            apply::apply(store, &resource_type, &object, &field_manager, manner, mode).map(Some)
        }
        Write::Patch { target, patch_type, patch, field_manager } => {
            patch::patch(store, &target, patch_type, &patch, &field_manager, mode).map(Some)
        }
        Write::Delete { target, query } => delete::delete(store, &target, &query, mode).map(|()| None),
        Write::Evict { namespace, pod } => evict::evict(store, &namespace, &pod, mode).map(|()| None),
    }
}

/// Says that an object is not there.
pub(super) fn not_found(resource: &ResourceType, namespace: &str, name: &str) -> ClusterError {
    let namespace = Some(namespace.to_owned()).filter(|namespace| !namespace.is_empty());
    ClusterError::NotFound { resource: resource.clone(), namespace, name: name.to_owned() }
}

/// Says that a write conflicts, in the server's words: `deployments.apps "a" …`.
fn conflict(reason: &str, message: String) -> ClusterError {
    ClusterError::Conflict(Status { code: 409, reason: reason.to_owned(), message })
}

/// Names an object as the server's messages do.
fn server_name(resource: &ResourceType, name: &str) -> String {
    let dot = if resource.group.is_empty() { "" } else { "." };
    format!("{}{dot}{} \"{name}\"", resource.resource, resource.group)
}

/// Returns the object's `metadata`, which it gets if it has none.
fn metadata(value: &mut Value) -> Result<&mut Map<String, Value>> {
    let map =
        value.as_object_mut().ok_or_else(|| ClusterError::Invalid("the object is not a JSON object".to_owned()))?;
    let metadata = map.entry("metadata").or_insert_with(|| json!({}));
    metadata.as_object_mut().ok_or_else(|| ClusterError::Invalid("`metadata` is not a JSON object".to_owned()))
}

/// Checks the namespace of a new object, and that it exists where namespaces are recorded at all.
fn check_namespace(
    store: &Store,
    resource: &ResourceType,
    scope: Scope,
    namespace: &str,
    mode: Existing,
) -> Result<()> {
    match scope {
        Scope::Cluster if namespace.is_empty() => return Ok(()),
        Scope::Cluster => {
            return Err(ClusterError::Invalid(format!(
                "`{resource}` is not namespaced, but the object has a namespace"
            )));
        }
        Scope::Namespaced if namespace.is_empty() => {
            return Err(ClusterError::Invalid(format!("`{resource}` is namespaced, but the object has no namespace")));
        }
        Scope::Namespaced => {}
    }
    let namespaces = ResourceType::new("", "v1", "namespaces");
    let is_recorded = store.resolve(&namespaces).is_ok_and(|(_, recorded)| !recorded.objects.is_empty());
    if mode == Existing::No && is_recorded && store.object(&namespaces, "", namespace).is_none() {
        return Err(not_found(&namespaces, "", namespace));
    }
    Ok(())
}

/// Whether the object that is written is there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Existing {
    Yes,
    No,
}

/// Gives an object its next `resourceVersion`, and stores it unless this is a dry run.
fn finish(store: &mut Store, resource: &ResourceType, mut value: Value, mode: WriteMode) -> Result<Object> {
    let revision = store.revision() + 1;
    metadata(&mut value)?.insert("resourceVersion".to_owned(), Value::String(revision.to_string()));
    let object = Object::from_value(&value).map_err(|error| ClusterError::Invalid(error.to_string()))?;
    let bytes = object.json().len();
    if bytes > OBJECT_BYTES {
        let message = format!("Request entity too large: limit is {OBJECT_BYTES}");
        return Err(ClusterError::Refused(Status { code: 413, reason: "RequestEntityTooLarge".to_owned(), message }));
    }
    store.check_room(bytes)?;
    if mode == WriteMode::Commit {
        store.put(resource, object.clone());
    }
    Ok(object)
}

/// Reads a stored object.
fn stored_value(object: &Object) -> Result<Value> {
    object.value().map_err(|error| ClusterError::Storage(error.to_string()))
}

#[cfg(test)]
mod tests;
