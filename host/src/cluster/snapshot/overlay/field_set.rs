//! Sets of fields, as server-side apply tracks them (`FieldsV1`).

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::list_keys;

/// One step to a field, in the spelling of `FieldsV1`: `f:<name>` or `k:<key of a list's item>`.
pub(super) type Path = Vec<String>;

/// Fields by their paths. Only leaves are in it: scalars, empty maps and lists that are replaced whole.
pub(super) type FieldSet = BTreeSet<Path>;

/// Fields that the server writes and nobody owns.
const UNOWNED: &[&str] = &["apiVersion", "kind"];
const UNOWNED_METADATA: &[&str] = &[
    "name",
    "namespace",
    "uid",
    "resourceVersion",
    "creationTimestamp",
    "generation",
    "managedFields",
    "selfLink",
    "generateName",
];

/// Returns the leaves of an object, without what names it and what only the server writes.
pub(super) fn leaves(object: &Value) -> FieldSet {
    let mut set = FieldSet::new();
    for (field, value) in object.as_object().into_iter().flatten() {
        if UNOWNED.contains(&field.as_str()) {
            continue;
        }
        if field != "metadata" {
            collect(value, field, &mut vec![format!("f:{field}")], &mut set);
            continue;
        }
        for (field, value) in value.as_object().into_iter().flatten() {
            if !UNOWNED_METADATA.contains(&field.as_str()) {
                collect(value, field, &mut vec!["f:metadata".to_owned(), format!("f:{field}")], &mut set);
            }
        }
    }
    set
}

fn collect(value: &Value, field: &str, path: &mut Path, set: &mut FieldSet) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (field, value) in map {
                path.push(format!("f:{field}"));
                collect(value, field, path, set);
                path.pop();
            }
        }
        Value::Array(items) if !items.is_empty() && !list_keys::keys(field, items).is_empty() => {
            let keys = list_keys::keys(field, items);
            for item in items {
                path.push(format!("k:{}", list_keys::key_of(item, keys)));
                collect(item, "", path, set);
                path.pop();
            }
        }
        _ => {
            set.insert(path.clone());
        }
    }
}

/// Returns the value at `path`.
pub(super) fn value_at<'v>(object: &'v Value, path: &[String]) -> Option<&'v Value> {
    let mut value = object;
    let mut field = "";
    for step in path {
        value = match (value, step.split_once(':')?) {
            (Value::Object(map), ("f", name)) => {
                field = name;
                map.get(name)?
            }
            (Value::Array(items), ("k", key)) => {
                let keys = list_keys::keys(field, items);
                items.iter().find(|item| list_keys::key_of(item, keys) == key)?
            }
            _ => return None,
        };
    }
    Some(value)
}

/// Removes the value at `path`; an item of a list goes when nothing but its key is left.
pub(super) fn remove(object: &mut Value, path: &[String]) {
    remove_below(object, "", path);
}

fn remove_below(value: &mut Value, field: &str, path: &[String]) {
    let Some((step, rest)) = path.split_first() else { return };
    match (value, step.split_once(':')) {
        (Value::Object(map), Some(("f", name))) if rest.is_empty() => {
            map.remove(name);
        }
        (Value::Object(map), Some(("f", name))) => {
            if let Some(value) = map.get_mut(name) {
                remove_below(value, name, rest);
                let is_empty =
                    value.as_object().is_some_and(Map::is_empty) || value.as_array().is_some_and(Vec::is_empty);
                if is_empty {
                    map.remove(name);
                }
            }
        }
        (Value::Array(items), Some(("k", key))) => {
            let keys = list_keys::keys(field, items);
            let Some(index) = items.iter().position(|item| list_keys::key_of(item, keys) == key) else { return };
            if let Some(item) = items.get_mut(index) {
                remove_below(item, "", rest);
                let is_gone = item
                    .as_object()
                    .is_none_or(|item| keys.iter().all(|key| !item.contains_key(*key)) || item.is_empty());
                if is_gone {
                    items.remove(index);
                }
            }
        }
        _ => {}
    }
}

/// Writes a path as the server's messages do: `.spec.containers[name="a"].image`.
pub(super) fn display(path: &[String]) -> String {
    let step = |step: &String| match step.split_once(':') {
        Some(("k", key)) => {
            let key: Map<String, Value> = serde_json::from_str(key).unwrap_or_default();
            let parts: Vec<String> = key.iter().map(|(name, value)| format!("{name}={value}")).collect();
            format!("[{}]", parts.join(","))
        }
        Some((_, name)) => format!(".{name}"),
        None => step.clone(),
    };
    path.iter().map(step).collect()
}

/// Reads a set as managed fields spell it.
pub(super) fn from_fields_v1(fields: &Value) -> FieldSet {
    let mut set = FieldSet::new();
    read(fields, &mut Vec::new(), &mut set);
    set
}

fn read(fields: &Value, path: &mut Path, set: &mut FieldSet) {
    let steps =
        fields.as_object().into_iter().flatten().filter(|(step, _)| step.starts_with("f:") || step.starts_with("k:"));
    let mut is_leaf = true;
    for (step, below) in steps {
        is_leaf = false;
        path.push(step.clone());
        read(below, path, set);
        path.pop();
    }
    if is_leaf && !path.is_empty() {
        set.insert(path.clone());
    }
}

/// Writes a set as managed fields spell it.
pub(super) fn to_fields_v1(set: &FieldSet) -> Value {
    let mut root = Map::new();
    for path in set {
        let mut map = &mut root;
        for step in path {
            let below = map.entry(step.clone()).or_insert_with(|| Value::Object(Map::new()));
            let Value::Object(next) = below else { break };
            map = next;
        }
    }
    Value::Object(root)
}
