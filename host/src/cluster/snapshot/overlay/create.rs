//! Creating objects.

use jiff::Timestamp;
use porthole_core::resource::ResourceType;
use serde_json::{Map, Value};

use super::{Existing, check_namespace, conflict, finish, managed_fields, metadata, server_name};
use crate::cluster::snapshot::store::Store;
use crate::cluster::{ClusterError, Object, Result, WriteMode};

/// 2000-01-01, in seconds: the time at which objects of the overlay begin to be created. Not today, so
/// that a run over a snapshot gives the same answer every day.
const FIRST_CREATION_SECONDS: i64 = 946_684_800;

/// Who owns the fields of an object that was created, because a create names no manager.
const MANAGER: &str = "porthole";

pub(super) fn create(store: &mut Store, asked: &ResourceType, object: &Object, mode: WriteMode) -> Result<Object> {
    let (resource, scope) = store.resolve_for_write(asked)?;
    let mut value = object.value().map_err(|error| ClusterError::Invalid(error.to_string()))?;
    let kind = store.kind(&resource);
    let api_version = resource.api_version();
    check_kind(&value, &api_version, &kind)?;
    let namespace = object.namespace().unwrap_or_default().to_owned();
    check_namespace(store, &resource, scope, &namespace, Existing::No)?;
    let name = name(&value, store.revision() + 1)?;
    if store.object(&resource, &namespace, &name).is_some() {
        return Err(conflict("AlreadyExists", format!("{} already exists", server_name(&resource, &name))));
    }
    if metadata(&mut value)?.get("resourceVersion").and_then(Value::as_str).is_some_and(|version| !version.is_empty()) {
        return Err(ClusterError::Invalid("resourceVersion should not be set on objects to be created".to_owned()));
    }
    identify(&mut value, &api_version, &kind, &name, store.revision() + 1)?;
    managed_fields::record_update(&mut value, None, MANAGER, &api_version)?;
    finish(store, &resource, value, mode)
}

/// Refuses an object of another kind than the one that is written.
pub(super) fn check_kind(value: &Value, api_version: &str, kind: &str) -> Result<()> {
    for (field, wanted) in [("apiVersion", api_version), ("kind", kind)] {
        match value.get(field).and_then(Value::as_str) {
            Some(found) if !found.is_empty() && found != wanted => {
                return Err(ClusterError::Invalid(format!("the object's `{field}` is `{found}`, not `{wanted}`")));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Gives a new object all that the server gives it; the same in every run.
pub(super) fn identify(value: &mut Value, api_version: &str, kind: &str, name: &str, revision: u64) -> Result<()> {
    let seconds = FIRST_CREATION_SECONDS.saturating_add(i64::try_from(revision).unwrap_or(0) % 1_000_000_000);
    let created = Timestamp::from_second(seconds).map_err(|error| ClusterError::Storage(error.to_string()))?;
    let metadata: &mut Map<String, Value> = metadata(value)?;
    let uid = format!("00000000-0000-4000-8000-{:012x}", revision & 0xffff_ffff_ffff);
    metadata.insert("name".to_owned(), Value::String(name.to_owned()));
    metadata.insert("uid".to_owned(), Value::String(uid));
    metadata.insert("creationTimestamp".to_owned(), Value::String(created.to_string()));
    if let Some(map) = value.as_object_mut() {
        map.insert("apiVersion".to_owned(), Value::String(api_version.to_owned()));
        map.insert("kind".to_owned(), Value::String(kind.to_owned()));
    }
    Ok(())
}

fn name(value: &Value, revision: u64) -> Result<String> {
    let text = |pointer: &str| value.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty());
    if let Some(name) = text("/metadata/name") {
        return Ok(name.to_owned());
    }
    let Some(prefix) = text("/metadata/generateName") else {
        return Err(ClusterError::Invalid("name or generateName is required".to_owned()));
    };
    Ok(format!("{prefix}{revision:05x}"))
}
