//! What a plugin says of itself, read from any of the forms in which it may say it.
//!
//! [`read`] recognises a form by its shape, never by the file's name, and gives one normalised
//! [`PluginManifest`] per plugin. Nothing here looks at a component or grants anything.

mod config_map;
mod document;
mod error;
mod flat;
mod keys;
mod kops;
mod name;
mod native;
mod plugin;
mod pod;
mod sonobuoy;

pub use document::{MANIFEST_BYTES, MANIFEST_DEPTH, MANIFEST_EXPANDED_BYTES, MANIFEST_VALUES};
pub use error::ManifestError;
pub use name::{RESERVED_NAME, check_name};
pub use plugin::{
    CniModelDocument, ConfigSpec, Driver, HookDocument, ManifestFormat, PluginManifest, Producer, ResultFormat,
};

use document::Budget;
use keys::Keys;
use serde_json::Value;

/// The accepted forms, as an error lists them.
pub(crate) const FORMS: [&str; 5] = [
    "Porthole's own, with `apiVersion: porthole.dev/v1alpha1` and `kind: Plugin`",
    "Sonobuoy's, with `sonobuoy-config` and `spec`",
    "the older flat form, with `name`, `driver`, `resultType` and `spec`",
    "a kops plugin, with `name`, `type`, `behavior` and `command` or `script`",
    "any of these in the `data` of a `ConfigMap`",
];

/// Most keys that an error about an unknown document repeats.
const SHOWN_KEYS: usize = 8;

/// Reads every plugin that `text` describes, in the order of the text; at least one.
///
/// Cost: linear in what the text expands to, which is bounded by [`MANIFEST_BYTES`],
/// [`MANIFEST_VALUES`], [`MANIFEST_EXPANDED_BYTES`] and [`MANIFEST_DEPTH`].
///
/// # Errors
///
/// The first thing that is wrong anywhere in the text: a file is taken as a whole or not at all. Keys that
/// Porthole does not know are an error in its own form only; Sonobuoy ignores them, and so its forms do here.
pub fn read(text: &str) -> Result<Vec<PluginManifest>, ManifestError> {
    let budget = Budget::default();
    let documents = document::parse(text, &budget)?;
    if documents.is_empty() {
        return Err(ManifestError::Empty);
    }
    let several = documents.len() > 1;
    let mut manifests = Vec::new();
    for (index, document) in documents.iter().enumerate() {
        let read = read_document(document, &budget).map_err(|source| {
            if several { ManifestError::InDocument { number: index + 1, source: Box::new(source) } } else { source }
        })?;
        manifests.extend(read);
    }
    Ok(manifests)
}

/// Reads the one plugin that `text` describes, as the section of a component must.
///
/// # Errors
///
/// Those of [`read`], and [`ManifestError::Several`] when there is more than one.
pub fn read_one(text: &str) -> Result<PluginManifest, ManifestError> {
    let mut manifests = read(text)?;
    match manifests.pop() {
        Some(manifest) if manifests.is_empty() => Ok(manifest),
        Some(_) => Err(ManifestError::Several { count: manifests.len() + 1 }),
        None => Err(ManifestError::Empty),
    }
}

fn read_document(document: &Value, budget: &Budget) -> Result<Vec<PluginManifest>, ManifestError> {
    let Value::Object(map) = document else {
        return Err(ManifestError::UnknownDocument { found: Vec::new() });
    };
    let keys = Keys::root(map);
    if config_map::is(&keys) {
        return config_map::read(&keys, budget);
    }
    read_plugin(&keys).map(|manifest| vec![manifest])
}

/// Reads one document that is not a `ConfigMap`.
fn read_plugin(keys: &Keys<'_>) -> Result<PluginManifest, ManifestError> {
    if native::is(keys) {
        return native::read(keys);
    }
    if sonobuoy::is(keys) {
        return sonobuoy::read(keys);
    }
    if kops::is(keys) {
        return kops::read(keys);
    }
    if flat::is(keys) {
        return flat::read(keys);
    }
    let found = keys.entries().map(|(key, _)| key.chars().take(60).collect()).take(SHOWN_KEYS).collect();
    Err(ManifestError::UnknownDocument { found })
}

/// Returns the candidate that a person most likely meant by `word`, or `None` if none is near.
///
/// Near is an edit distance of at most a third of the longer word, or of 2 from five letters on (two swapped); the first of several equals wins.
#[must_use]
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let lower = word.to_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (edit_distance(&lower, &candidate.to_lowercase()), candidate))
        .filter(|(distance, candidate)| {
            let longer = candidate.chars().count().max(word.chars().count());
            *distance <= longer / 3 || (*distance == 2 && longer >= 5)
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Levenshtein's distance; words longer than 256 characters count as far apart, which bounds its square cost.
fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().take(257).collect();
    if right.len() > 256 || left.chars().count() > 256 {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (index, character) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (column, other) in right.iter().enumerate() {
            let substituted = diagonal + usize::from(character != *other);
            diagonal = row[column + 1];
            row[column + 1] = substituted.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests;
