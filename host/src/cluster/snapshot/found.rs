//! Finding out what kind an object is, from itself, from its list, and from its file.

use serde_json::Value;

use super::documents::Item;
use super::kinds;
use super::layout::Hint;
use crate::cluster::Object;

/// An object with its kind.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub(super) group: String,
    pub(super) version: String,
    pub(super) kind: String,
    /// The plural, when the file's path says it.
    pub(super) resource: Option<String>,
    pub(super) object: Object,
}

/// What an item turned out to be.
#[derive(Debug)]
pub(super) enum Finding {
    /// An object.
    Object(Found),
    /// The server's version.
    Version,
    /// The server's list of groups.
    Groups,
    /// Nothing that Kubernetes knows.
    Other,
}

/// Completes an item by what its list and file say, and keeps it as compact text.
///
/// # Errors
///
/// Says what an object lacks.
pub(super) fn find(item: &mut Item, hint: &Hint) -> Result<Finding, String> {
    let text = |value: &Value, pointer: &str| {
        value.pointer(pointer).and_then(Value::as_str).filter(|text| !text.is_empty()).map(str::to_owned)
    };
    let value = &item.value;
    let (own_version, own_kind) = (text(value, "/apiVersion"), text(value, "/kind"));
    if own_kind.is_none() && text(value, "/gitVersion").is_some() && text(value, "/major").is_some() {
        return Ok(Finding::Version);
    }
    if own_kind.as_deref() == Some("APIGroupList") {
        return Ok(Finding::Groups);
    }
    let by_plural = hint.resource.as_deref().and_then(kinds::built_in_by_plural);
    let inherited_kind = item.inherited.as_ref().map(|(_, kind)| kind.clone());
    let inherited_version = item.inherited.as_ref().map(|(version, _)| version.clone());
    let Some(kind) = own_kind.or(inherited_kind).or_else(|| by_plural.map(|entry| entry.kind.to_owned())) else {
        return match &hint.resource {
            Some(resource) if value.get("metadata").is_some() => {
                Err(format!("nothing says which kind `{resource}` is"))
            }
            _ => Ok(Finding::Other),
        };
    };
    let api_version = own_version
        .or(inherited_version)
        .or_else(|| text(value, "/metadata/selfLink").and_then(|link| api_version_of(&link)))
        .or_else(|| hinted_api_version(hint))
        .or_else(|| by_plural.map(|entry| join(entry.group, entry.versions.first().copied().unwrap_or("v1"))));
    let Some(api_version) = api_version else {
        return match value.get("metadata") {
            Some(_) => Err(format!("an object of kind `{kind}` has no `apiVersion`")),
            None => Ok(Finding::Other),
        };
    };
    if kind == "Status" && api_version == "v1" {
        return Err("holds an error of the API server instead of objects".to_owned());
    }
    let Some(name) = text(value, "/metadata/name") else {
        return Err(format!("an object of kind `{kind}` has no `metadata.name`"));
    };
    let (group, version) = api_version.split_once('/').unwrap_or(("", &api_version));
    let (group, version) = (group.to_owned(), version.to_owned());
    let Some(map) = item.value.as_object_mut() else { return Ok(Finding::Other) };
    map.insert("apiVersion".to_owned(), Value::String(api_version));
    map.insert("kind".to_owned(), Value::String(kind.clone()));
    if let (Some(namespace), Some(metadata)) = (&hint.namespace, map.get_mut("metadata").and_then(Value::as_object_mut))
    {
        metadata.entry("namespace").or_insert_with(|| Value::String(namespace.clone()));
    }
    let malformed = |error: serde_json::Error| format!("`{kind}` `{name}` is malformed: {error}");
    let mut json = serde_json::to_vec(&item.value).map_err(malformed)?;
    // A snapshot is mostly these texts, and a grown buffer is up to twice its text.
    json.shrink_to_fit();
    let object = Object::from_json(json).map_err(malformed)?;
    Ok(Finding::Object(Found { group, version, kind, resource: hint.resource.clone(), object }))
}

/// Puts an object without namespace into `default`, as `kubectl apply` would.
///
/// # Errors
///
/// Only when the object's text is malformed beyond its metadata.
pub(super) fn in_default_namespace(object: &Object) -> Result<Object, serde_json::Error> {
    let mut value = object.value()?;
    if let Some(metadata) = value.get_mut("metadata").and_then(Value::as_object_mut) {
        metadata.insert("namespace".to_owned(), Value::String("default".to_owned()));
    }
    Object::from_value(&value)
}

/// Reads the API version out of `/apis/apps/v1/namespaces/…` or `/api/v1/…`.
fn api_version_of(self_link: &str) -> Option<String> {
    let mut parts = self_link.trim_start_matches('/').split('/');
    match parts.next()? {
        "api" => parts.next().map(str::to_owned),
        "apis" => Some(join(parts.next()?, parts.next()?)),
        _ => None,
    }
}

fn hinted_api_version(hint: &Hint) -> Option<String> {
    Some(join(hint.group.as_deref()?, hint.version.as_deref()?))
}

fn join(group: &str, version: &str) -> String {
    if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") }
}
