//! Server-side apply: each manager owns the fields that it applies.
//!
//! Source: Kubernetes documentation, "Server-Side Apply". Without schemas, lists other than those of
//! [`super::list_keys`] are owned and replaced whole.

use porthole_core::resource::ResourceType;
use serde_json::Value;

use super::create::{check_kind, identify};
use super::field_set::{self, FieldSet};
use super::managed_fields::{self, Entry, Operation};
use super::{Existing, check_namespace, conflict, finish, merge, metadata, stored_value};
use crate::cluster::snapshot::store::Store;
use crate::cluster::{ClusterError, Object, Result, WriteMode};

/// What to do when another manager owns a field with another value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// Refuse.
    Yield,
    /// Take it over.
    Force,
}

pub(super) fn apply(
    store: &mut Store,
    asked: &ResourceType,
    object: &Object,
    manager: &str,
    manner: Manner,
    mode: WriteMode,
) -> Result<Object> {
    if manager.is_empty() || object.name().is_empty() {
        return Err(ClusterError::Invalid("apply needs a field manager and an object with a name".to_owned()));
    }
    let (resource, scope) = store.resolve_for_write(asked)?;
    let (kind, api_version) = (store.kind(&resource), resource.api_version());
    let mut applied = object.value().map_err(|error| ClusterError::Invalid(error.to_string()))?;
    check_kind(&applied, &api_version, &kind)?;
    if metadata(&mut applied)?.contains_key("managedFields") {
        return Err(ClusterError::Invalid("metadata.managedFields must be nil".to_owned()));
    }
    let namespace = object.namespace().unwrap_or_default().to_owned();
    let before = store.object(&resource, &namespace, object.name()).cloned();
    let existing = if before.is_some() { Existing::Yes } else { Existing::No };
    check_namespace(store, &resource, scope, &namespace, existing)?;
    let Some(before) = before else {
        let fields = field_set::leaves(&applied);
        identify(&mut applied, &api_version, &kind, object.name(), store.revision() + 1)?;
        managed_fields::write(&mut applied, &[entry(manager, &api_version, fields)])?;
        return finish(store, &resource, applied, mode);
    };
    let before_value = stored_value(&before)?;
    let after = merged(&before_value, &applied, manager, &api_version, manner)?;
    // Like the server: an apply that changes nothing is no write.
    if after == before_value {
        return Ok(before);
    }
    finish(store, &resource, after, mode)
}

fn entry(manager: &str, api_version: &str, fields: FieldSet) -> Entry {
    Entry { manager: manager.to_owned(), operation: Operation::Apply, api_version: api_version.to_owned(), fields }
}

fn merged(before: &Value, applied: &Value, manager: &str, api_version: &str, manner: Manner) -> Result<Value> {
    let fields = field_set::leaves(applied);
    let mut entries = managed_fields::read(before);
    let is_own = |entry: &Entry| entry.manager == manager && entry.operation == Operation::Apply;
    let differs = |path: &Vec<String>| field_set::value_at(before, path) != field_set::value_at(applied, path);
    let contested = |entry: &Entry| -> Vec<Vec<String>> {
        entry.fields.intersection(&fields).filter(|path| differs(path)).cloned().collect()
    };
    let conflicts: Vec<(&Entry, Vec<Vec<String>>)> = entries
        .iter()
        .filter(|entry| !is_own(entry))
        .map(|entry| (entry, contested(entry)))
        .filter(|(_, paths)| !paths.is_empty())
        .collect();
    if manner == Manner::Yield && !conflicts.is_empty() {
        return Err(conflict("Conflict", message(&conflicts)));
    }
    let taken: FieldSet = conflicts.into_iter().flat_map(|(_, paths)| paths).collect();
    for entry in entries.iter_mut().filter(|entry| !is_own(entry)) {
        entry.fields.retain(|path| !taken.contains(path));
    }
    let mut after = before.clone();
    // What the manager applied once and now leaves out goes, unless somebody else wants it, too.
    let owned: FieldSet = entries.iter().filter(|entry| is_own(entry)).flat_map(|entry| entry.fields.clone()).collect();
    let is_shared = |path: &Vec<String>| entries.iter().any(|entry| !is_own(entry) && entry.fields.contains(path));
    // Deepest last, so that an item's key, which sorts anywhere, does not go before its other fields.
    let mut dropped: Vec<&Vec<String>> =
        owned.iter().filter(|path| !fields.contains(*path) && !is_shared(path)).collect();
    dropped.sort_by_key(|path| path.last().is_some_and(|step| is_key_field(path, step)));
    for path in dropped {
        field_set::remove(&mut after, path);
    }
    merge::merge_applied(&mut after, &without_server_fields(applied));
    entries.retain(|entry| !is_own(entry));
    entries.push(entry(manager, api_version, fields));
    managed_fields::write(&mut after, &entries)?;
    Ok(after)
}

/// Tells whether the last step names a field that is part of its item's key.
fn is_key_field(path: &[String], step: &str) -> bool {
    let field = step.strip_prefix("f:").unwrap_or_default();
    let item = path.iter().rev().nth(1).and_then(|item| item.strip_prefix("k:"));
    item.and_then(|key| serde_json::from_str::<Value>(key).ok()).is_some_and(|key| key.get(field).is_some())
}

/// Leaves out what the server alone writes, so that applying an object that was read changes none of it.
fn without_server_fields(applied: &Value) -> Value {
    let mut applied = applied.clone();
    if let Some(metadata) = applied.get_mut("metadata").and_then(Value::as_object_mut) {
        for field in ["uid", "resourceVersion", "creationTimestamp", "generation", "selfLink"] {
            metadata.remove(field);
        }
    }
    applied
}

/// Names a manager; the version is named only of those that did not apply.
fn name(entry: &Entry) -> String {
    match entry.operation {
        Operation::Apply => format!("\"{}\"", entry.manager),
        Operation::Update => format!("\"{}\" using {}", entry.manager, entry.api_version),
    }
}

/// Words it as the server does (structured-merge-diff and `fieldmanager` of k8s.io/apimachinery).
fn message(conflicts: &[(&Entry, Vec<Vec<String>>)]) -> String {
    let count: usize = conflicts.iter().map(|(_, paths)| paths.len()).sum();
    if let [(entry, paths)] = conflicts
        && let [path] = paths.as_slice()
    {
        let path = field_set::display(path);
        return format!("Apply failed with 1 conflict: conflict with {}: {path}", name(entry));
    }
    let of_one = |(entry, paths): &(&Entry, Vec<Vec<String>>)| {
        let lines: String = paths.iter().map(|path| format!("\n- {}", field_set::display(path))).collect();
        format!("conflicts with {}:{lines}", name(entry))
    };
    let all: Vec<String> = conflicts.iter().map(of_one).collect();
    format!("Apply failed with {count} conflicts: {}", all.join("\n"))
}
