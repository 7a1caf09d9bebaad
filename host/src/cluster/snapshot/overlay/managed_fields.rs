//! Who owns which fields of an object (`metadata.managedFields`).

use serde_json::{Value, json};

use super::field_set::{self, FieldSet};
use super::metadata;
use crate::cluster::Result;

/// One entry: the fields that a manager set by one kind of operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) manager: String,
    pub(super) operation: Operation,
    pub(super) api_version: String,
    pub(super) fields: FieldSet,
}

/// How a manager writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operation {
    Apply,
    Update,
}

/// Reads the entries of an object; what is malformed in them owns nothing.
pub(super) fn read(object: &Value) -> Vec<Entry> {
    let entries = object.pointer("/metadata/managedFields").and_then(Value::as_array);
    let text = |entry: &Value, field: &str| entry.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    let entry = |entry: &Value| Entry {
        manager: text(entry, "manager"),
        operation: if text(entry, "operation") == "Apply" { Operation::Apply } else { Operation::Update },
        api_version: text(entry, "apiVersion"),
        fields: entry.get("fieldsV1").map(field_set::from_fields_v1).unwrap_or_default(),
    };
    entries.into_iter().flatten().map(entry).collect()
}

/// Writes the entries that own anything.
pub(super) fn write(object: &mut Value, entries: &[Entry]) -> Result<()> {
    let entry = |entry: &Entry| {
        json!({
            "manager": entry.manager,
            "operation": if entry.operation == Operation::Apply { "Apply" } else { "Update" },
            "apiVersion": entry.api_version,
            "fieldsType": "FieldsV1",
            "fieldsV1": field_set::to_fields_v1(&entry.fields),
        })
    };
    let entries: Vec<Value> = entries.iter().filter(|entry| !entry.fields.is_empty()).map(entry).collect();
    metadata(object)?.insert("managedFields".to_owned(), Value::Array(entries));
    Ok(())
}

/// Gives `manager` the fields of `object` that differ from what it was `before`, and takes them from others.
pub(super) fn record_update(
    object: &mut Value,
    before: Option<&Value>,
    manager: &str,
    api_version: &str,
) -> Result<()> {
    let all = field_set::leaves(object);
    let is_changed = |path: &Vec<String>| {
        before.is_none_or(|before| field_set::value_at(before, path) != field_set::value_at(object, path))
    };
    let changed: FieldSet = all.iter().filter(|path| is_changed(path)).cloned().collect();
    let mut entries = before.map(read).unwrap_or_default();
    for entry in &mut entries {
        entry.fields.retain(|path| !changed.contains(path) && field_set::value_at(object, path).is_some());
    }
    let own = entries.iter_mut().find(|entry| entry.manager == manager && entry.operation == Operation::Update);
    match own {
        Some(entry) => entry.fields.extend(changed),
        None => entries.push(Entry {
            manager: manager.to_owned(),
            operation: Operation::Update,
            api_version: api_version.to_owned(),
            fields: changed,
        }),
    }
    write(object, &entries)
}
