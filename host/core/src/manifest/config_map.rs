//! Manifests wrapped in a `ConfigMap`, as Sonobuoy ships them into a cluster.

use serde_json::Value;

use super::document::Budget;
use super::keys::{Keys, wrong_type};
use super::{ManifestError, PluginManifest, document};

/// Returns whether the document is a `ConfigMap`.
pub(super) fn is(keys: &Keys<'_>) -> bool {
    keys.get("kind").and_then(Value::as_str) == Some("ConfigMap")
}

/// Reads the plugins of every key of `data` that ends in `.yaml`, `.yml` or `.json`, sorted by key.
pub(super) fn read(keys: &Keys<'_>, budget: &Budget) -> Result<Vec<PluginManifest>, ManifestError> {
    const PURPOSE: &str = "it holds one plugin manifest per key that ends in `.yaml`, `.yml` or `.json`";
    let data = keys.required_map("data", PURPOSE)?;
    let mut manifests = Vec::new();
    for (key, value) in data.entries().filter(|(key, _)| is_manifest_key(key)) {
        let Value::String(text) = value else { return Err(wrong_type(data.path(key), value, "a text")) };
        let read = read_text(text, budget);
        manifests
            .extend(read.map_err(|source| ManifestError::InConfigMap { key: key.clone(), source: Box::new(source) })?);
    }
    if manifests.is_empty() {
        return Err(ManifestError::MissingKey { path: data.path("*.yaml"), purpose: PURPOSE });
    }
    Ok(manifests)
}

/// A `ConfigMap` inside a `ConfigMap` is not looked into: nesting would multiply the bounds.
fn read_text(text: &str, budget: &Budget) -> Result<Vec<PluginManifest>, ManifestError> {
    let documents = document::parse(text, budget)?;
    if documents.is_empty() {
        return Err(ManifestError::Empty);
    }
    documents
        .iter()
        .map(|document| match document {
            Value::Object(map) => super::read_plugin(&Keys::root(map)),
            _ => Err(ManifestError::UnknownDocument { found: Vec::new() }),
        })
        .collect()
}

fn is_manifest_key(key: &str) -> bool {
    [".yaml", ".yml", ".json"].iter().any(|ending| key.ends_with(ending))
}
