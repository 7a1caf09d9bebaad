//! Selectors and field paths, as far as tests of plugins need them.

use serde_json::{Map, Value};

use crate::kubernetes::Cut;

/// Parts of every object that no cut takes away.
const ALWAYS_KEPT: [&str; 5] = ["apiVersion", "kind", "metadata.name", "metadata.namespace", "metadata.uid"];

/// Whether a label selector (`a=b`, `a!=b`, `a`, `!a`, joined by commas) takes an object.
pub(super) fn labels(selector: &str, object: &Value) -> bool {
    let label =
        |key: &str| object.pointer("/metadata/labels").and_then(|labels| labels.get(key)).and_then(Value::as_str);
    terms(selector).all(|term| match term.split_once("!=").map(|pair| (pair, false)).or_else(|| equals(term)) {
        Some(((key, value), wanted)) => (label(key.trim()) == Some(value.trim())) == wanted,
        None => match term.strip_prefix('!') {
            Some(key) => label(key.trim()).is_none(),
            None => label(term).is_some(),
        },
    })
}

/// Whether a field selector takes an object.
pub(super) fn fields(selector: &str, object: &Value) -> bool {
    let field = |path: &str| {
        path.split('.').try_fold(object, |value, part| value.get(part)).and_then(Value::as_str).unwrap_or("")
    };
    terms(selector).all(|term| match term.split_once("!=").map(|pair| (pair, false)).or_else(|| equals(term)) {
        Some(((path, value), wanted)) => (field(path.trim()) == value.trim()) == wanted,
        None => false,
    })
}

fn terms(selector: &str) -> impl Iterator<Item = &str> {
    selector.split(',').map(str::trim).filter(|term| !term.is_empty())
}

fn equals(term: &str) -> Option<((&str, &str), bool)> {
    let (key, value) = term.split_once('=')?;
    Some(((key, value.trim_start_matches('=')), true))
}

/// Cuts an object as the host would.
pub(super) fn cut(object: &Value, cut: &Cut) -> Value {
    let mut kept = object.clone();
    if !cut.keep.is_empty() {
        kept = Value::Object(Map::new());
        for path in ALWAYS_KEPT.into_iter().chain(cut.keep.iter().map(String::as_str)) {
            copy(object, &mut kept, &parts(path));
        }
    }
    for path in &cut.omit {
        remove(&mut kept, &parts(path));
    }
    kept
}

/// Splits `metadata.annotations['a.b/c']` into its parts.
fn parts(path: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        if let Some(quoted) = rest.strip_prefix("['") {
            let (part, after) = quoted.split_once("']").unwrap_or((quoted, ""));
            parts.push(part.to_owned());
            rest = after.strip_prefix('.').unwrap_or(after);
        } else {
            let end = rest.find(['.', '[']).unwrap_or(rest.len());
            parts.push(rest[..end].to_owned());
            rest = rest[end..].strip_prefix('.').unwrap_or(&rest[end..]);
        }
    }
    parts
}

fn copy(from: &Value, to: &mut Value, path: &[String]) {
    let Some((first, rest)) = path.split_first() else {
        to.clone_from(from);
        return;
    };
    match from {
        Value::Array(items) => {
            if !to.is_array() {
                *to = Value::Array(vec![Value::Object(Map::new()); items.len()]);
            }
            let Value::Array(copies) = to else { return };
            for (item, copied) in items.iter().zip(copies) {
                copy(item, copied, path);
            }
        }
        Value::Object(map) => {
            let Some(value) = map.get(first) else { return };
            if let Value::Object(copied) = to {
                copy(value, copied.entry(first.clone()).or_insert_with(|| Value::Object(Map::new())), rest);
            }
        }
        _ => {}
    }
}

fn remove(value: &mut Value, path: &[String]) {
    match (value, path) {
        (Value::Array(items), path) => items.iter_mut().for_each(|item| remove(item, path)),
        (Value::Object(map), [last]) => {
            map.remove(last);
        }
        (Value::Object(map), [first, rest @ ..]) => {
            if let Some(value) = map.get_mut(first) {
                remove(value, rest);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_cut_goes_through_lists_and_keeps_the_name() {
        let object = json!({"kind": "Pod", "metadata": {"name": "a", "annotations": {"x.y/z": "1", "b": "2"}},
            "spec": {"containers": [{"name": "c", "image": "i"}, {"name": "d", "image": "j"}]}});
        let keep = vec!["spec.containers.image".to_owned(), "metadata.annotations['x.y/z']".to_owned()];
        assert_eq!(
            cut(&object, &Cut { keep, omit: Vec::new() }),
            json!({"kind": "Pod", "metadata": {"name": "a", "annotations": {"x.y/z": "1"}},
                "spec": {"containers": [{"image": "i"}, {"image": "j"}]}})
        );
    }

    #[test]
    fn selectors_are_conjunctions() {
        let object = json!({"metadata": {"labels": {"app": "web"}}, "spec": {"nodeName": "n"}});
        assert!(labels("app=web,tier!=db,app,!tier", &object));
        assert!(!labels("app=web,tier", &object));
        assert!(fields("spec.nodeName=n", &object));
        assert!(!fields("spec.nodeName!=n", &object));
    }
}
