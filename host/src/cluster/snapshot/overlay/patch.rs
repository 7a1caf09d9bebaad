//! Patching objects.

use serde_json::Value;

use super::{conflict, finish, json_patch, managed_fields, merge, metadata, not_found, server_name, stored_value};
use crate::cluster::snapshot::store::Store;
use crate::cluster::{ClusterError, Object, PatchType, Result, Target, WriteMode};

/// Fields that identify an object, which no patch changes.
const FIXED: &[&str] = &["/apiVersion", "/kind", "/metadata/name", "/metadata/namespace", "/metadata/uid"];

pub(super) fn patch(
    store: &mut Store,
    target: &Target,
    patch_type: PatchType,
    patch: &[u8],
    manager: &str,
    mode: WriteMode,
) -> Result<Object> {
    let (resource, _) = store.resolve(&target.resource_type)?;
    let resource = resource.clone();
    let namespace = target.namespace.as_deref().unwrap_or_default();
    let stored = store.object(&resource, namespace, &target.name).cloned();
    let stored = stored.ok_or_else(|| not_found(&resource, namespace, &target.name))?;
    let before = stored_value(&stored)?;
    let mut after = before.clone();
    change(&mut after, patch_type, patch)?;
    for pointer in FIXED {
        if before.pointer(pointer) != after.pointer(pointer) {
            return Err(ClusterError::Invalid(format!("a patch cannot change `{}`", pointer.trim_start_matches('/'))));
        }
    }
    // A version in the patch is a condition on the object that is patched.
    if before.pointer("/metadata/resourceVersion") != after.pointer("/metadata/resourceVersion") {
        let message = format!(
            "Operation cannot be fulfilled on {}: the object has been modified; please apply your changes to the latest version and try again",
            server_name(&resource, &target.name)
        );
        return Err(conflict("Conflict", message));
    }
    metadata(&mut after)?;
    if after == before {
        return Ok(stored);
    }
    let manager = if manager.is_empty() { "porthole" } else { manager };
    managed_fields::record_update(&mut after, Some(&before), manager, &resource.api_version())?;
    finish(store, &resource, after, mode)
}

fn change(value: &mut Value, patch_type: PatchType, patch: &[u8]) -> Result<()> {
    let wrong = |reason: String| ClusterError::Invalid(format!("the patch cannot be applied: {reason}"));
    if patch_type == PatchType::Json {
        return json_patch::apply(value, patch).map_err(wrong);
    }
    let patch: Value = serde_json::from_slice(patch).map_err(|error| wrong(error.to_string()))?;
    if !patch.is_object() {
        return Err(wrong("it is not a JSON object".to_owned()));
    }
    match patch_type {
        PatchType::Strategic => merge::merge_strategic(value, &patch),
        _ => merge::merge_patch(value, &patch),
    }
    Ok(())
}
