//! Merging one value into another: RFC 7386, and by the keys of lists.

use serde_json::{Map, Value};

use super::list_keys;

/// Merges as RFC 7386 says: `null` removes, maps merge, anything else replaces.
pub(super) fn merge_patch(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(target) = target else { return };
    for (field, value) in patch {
        if value.is_null() {
            target.remove(field);
        } else {
            merge_patch(target.entry(field.clone()).or_insert(Value::Null), value);
        }
    }
}

/// Merges the fields that somebody applies: maps merge, lists with keys merge by item, others are replaced.
pub(super) fn merge_applied(target: &mut Value, applied: &Value) {
    merge_field(target, applied, "", Directives::Ignored);
}

/// Merges as a strategic merge patch: as [`merge_applied`], `null` removes, and the directives `$patch:
/// delete`, `$patch: replace` and `$retainKeys` and ordering hints of Kubernetes are read (the last two
/// are dropped).
pub(super) fn merge_strategic(target: &mut Value, patch: &Value) {
    merge_field(target, patch, "", Directives::Obeyed);
}

/// Whether `null` and `$patch` mean something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Directives {
    Obeyed,
    Ignored,
}

fn merge_field(target: &mut Value, patch: &Value, field: &str, directives: Directives) {
    match patch {
        Value::Object(patch) => merge_map(target, patch, directives),
        Value::Array(items) => merge_list(target, items, field, directives),
        patch => *target = patch.clone(),
    }
}

fn merge_map(target: &mut Value, patch: &Map<String, Value>, directives: Directives) {
    let directive = directive(patch).filter(|_| directives == Directives::Obeyed);
    if !target.is_object() || directive == Some("replace") {
        *target = Value::Object(Map::new());
    }
    let Value::Object(target) = target else { return };
    if directive == Some("delete") {
        target.clear();
        return;
    }
    for (field, value) in patch {
        if directives == Directives::Obeyed && field.starts_with('$') {
            continue;
        }
        if directives == Directives::Obeyed && value.is_null() {
            target.remove(field);
            continue;
        }
        merge_field(target.entry(field.clone()).or_insert(Value::Null), value, field, directives);
    }
}

fn merge_list(target: &mut Value, patch: &[Value], field: &str, directives: Directives) {
    let is_directive_only =
        |item: &Value| item.as_object().is_some_and(|item| item.len() == 1 && directive(item).is_some());
    let obeyed = directives == Directives::Obeyed;
    let is_replaced =
        obeyed && patch.iter().any(|item| is_directive_only(item) && directive_of(item) == Some("replace"));
    let patch: Vec<&Value> = patch.iter().filter(|item| !(obeyed && is_directive_only(item))).collect();
    let owned: Vec<Value> = patch.iter().map(|item| (*item).clone()).collect();
    let keys = list_keys::keys(field, &owned);
    let mergeable = target.as_array().is_none_or(|items| list_keys::keys(field, items) == keys);
    if keys.is_empty() || is_replaced || !mergeable {
        *target = Value::Array(owned);
        return;
    }
    if !target.is_array() {
        *target = Value::Array(Vec::new());
    }
    let Value::Array(items) = target else { return };
    for patch in owned {
        let key = list_keys::key_of(&patch, keys);
        let position = items.iter().position(|item| list_keys::key_of(item, keys) == key);
        let is_deleted = obeyed && directive_of(&patch) == Some("delete");
        match position {
            Some(position) if is_deleted => {
                items.remove(position);
            }
            Some(position) => {
                if let Some(item) = items.get_mut(position) {
                    merge_field(item, &patch, "", directives);
                }
            }
            None if is_deleted => {}
            None => {
                let mut item = Value::Null;
                merge_field(&mut item, &patch, "", directives);
                items.push(item);
            }
        }
    }
}

fn directive_of(value: &Value) -> Option<&str> {
    directive(value.as_object()?)
}

fn directive(map: &Map<String, Value>) -> Option<&str> {
    map.get("$patch").and_then(Value::as_str)
}
