//! The one pass over the files of a run.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use porthole_core::report::ClusterHealth;
use porthole_core::results::Processor;
use porthole_core::results::processing::Interest;
use serde::Deserialize;
use serde_json::Value;

use crate::cluster::archive::{ArchiveBounds, ArchiveError, visit};

use super::definition::Definition;
use super::spill::{Extent, Spill};
use super::{OutputMode, ResultsError, Selection};

/// The largest file of `meta/` or definition that is read, in bytes. They are parsed whole in memory, and
/// honest ones hold a few kilobytes, the health of ten thousand pods two megabytes.
const META_BYTES_MAX: u64 = 64 << 20;

/// What the pass found.
pub(super) struct Gathered {
    pub(super) plugins: BTreeMap<String, Plugin>,
    /// The names in `meta/info.json`, in its order.
    pub(super) listed: Vec<String>,
    /// Definitions from an old `config.json`.
    pub(super) loaded: BTreeMap<String, Definition>,
    pub(super) health: Option<Health>,
    pub(super) spill: Spill,
    pub(super) warnings: Vec<String>,
    pub(super) damage: Option<ArchiveError>,
}

/// `meta/clusterhealth.json`, understood and as it was; empty when it is absent.
#[derive(Debug, Default)]
pub(super) struct Health {
    pub(super) summary: ClusterHealth,
    pub(super) text: Vec<u8>,
}

/// The files of one plugin, by path relative to its folder.
#[derive(Default)]
pub(super) struct Plugin {
    pub(super) definition: Option<Definition>,
    pub(super) recorded: Option<Extent>,
    pub(super) files: BTreeMap<String, Content>,
    /// Knows which contents are needed, once the definition is known.
    interest: Option<Processor>,
}

/// What became of a file's content.
#[derive(Debug)]
pub(super) enum Content {
    /// It is not needed.
    NotKept,
    /// It was kept.
    Kept(Extent),
    /// It breaks off.
    Broken(String),
}

#[derive(Deserialize)]
struct Info {
    #[serde(default)]
    plugins: Option<Vec<String>>,
}

/// Reads the run at `path` once.
pub(super) fn gather(path: &Path, selection: &Selection<'_>) -> Result<Gathered, ResultsError> {
    let mut gathered = Gathered {
        plugins: BTreeMap::new(),
        listed: Vec::new(),
        loaded: BTreeMap::new(),
        health: None,
        spill: Spill::new(),
        warnings: Vec::new(),
        damage: None,
    };
    let outcome = visit(path, &ArchiveBounds::default(), &mut |name, content| gathered.take(name, content, selection));
    match outcome {
        Ok(()) => {}
        Err(ArchiveError::Stopped(error)) => {
            return Err(match error.downcast::<ResultsError>() {
                Ok(error) => *error,
                Err(error) => ResultsError::Archive { path: path.to_path_buf(), source: ArchiveError::Stopped(error) },
            });
        }
        Err(source) if gathered.plugins.is_empty() => {
            return Err(ResultsError::Archive { path: path.to_path_buf(), source });
        }
        Err(source) => gathered.damage = Some(source),
    }
    Ok(gathered)
}

impl Gathered {
    fn take(&mut self, name: &str, content: &mut dyn Read, selection: &Selection<'_>) -> Result<(), ArchiveError> {
        match name {
            // v0.8 kept its configuration at the root.
            "meta/config.json" | "config.json" => {
                if let Some(config) = self.parse::<Value>(name, content)? {
                    self.take_config(&config);
                }
            }
            "meta/info.json" => {
                if let Some(info) = self.parse::<Info>(name, content)? {
                    self.listed = info.plugins.unwrap_or_default();
                }
            }
            "meta/clusterhealth.json" if selection.plugin.is_none() => {
                let text = read_bounded(content)?;
                match serde_json::from_slice(&text) {
                    Ok(summary) => self.health = Some(Health { summary, text }),
                    Err(error) => self.warnings.push(format!("`{name}` is not understood: {error}")),
                }
            }
            _ => {
                if let Some((plugin, file)) = name.strip_prefix("plugins/").and_then(|below| below.split_once('/')) {
                    return self.take_plugin_file(plugin, file, name, content, selection);
                }
            }
        }
        Ok(())
    }

    fn take_config(&mut self, config: &Value) {
        for entry in config.get("LoadedPlugins").and_then(Value::as_array).into_iter().flatten() {
            if let Some(name) = Definition::name_of(entry) {
                self.loaded.insert(name.to_owned(), Definition::read(entry));
            }
        }
    }

    fn take_plugin_file(
        &mut self,
        plugin: &str,
        file: &str,
        name: &str,
        content: &mut dyn Read,
        selection: &Selection<'_>,
    ) -> Result<(), ArchiveError> {
        // The folder is noted also when it is not wanted, for the list of what there is.
        self.plugins.entry(plugin.to_owned()).or_default();
        if selection.plugin.is_some_and(|wanted| wanted != plugin) {
            return Ok(());
        }
        if matches!(file, "definition.json" | "defintion.json") {
            let definition = self.parse::<Value>(name, content)?.map(|value| Definition::read(&value));
            let known = definition.as_ref().and_then(|definition| definition.known(plugin));
            if let Some(found) = self.plugins.get_mut(plugin) {
                found.interest = known.map(|shape| Processor::new(shape, selection.mode));
                found.definition = definition;
            }
            return Ok(());
        }
        let Some(found) = self.plugins.get_mut(plugin) else { return Ok(()) };
        if file == "sonobuoy_results.yaml" {
            found.recorded = Some(self.spill.keep(content)?);
            return Ok(());
        }
        if !file.starts_with("results/") && !file.starts_with("errors/") {
            return Ok(());
        }
        let needed = selection.output == OutputMode::Detailed
            || found.interest.as_mut().is_none_or(|processor| processor.interest(file) == Interest::Content);
        if !needed {
            found.files.insert(file.to_owned(), Content::NotKept);
            return Ok(());
        }
        match self.spill.keep(content) {
            Ok(extent) => _ = found.files.insert(file.to_owned(), Content::Kept(extent)),
            Err(error @ ArchiveError::Stopped(_)) => return Err(error),
            Err(error) => {
                found.files.insert(file.to_owned(), Content::Broken(error.to_string()));
                return Err(error);
            }
        }
        Ok(())
    }

    /// Parses a small JSON file; one that is not understood is a warning.
    fn parse<T: for<'de> Deserialize<'de>>(
        &mut self,
        name: &str,
        content: &mut dyn Read,
    ) -> Result<Option<T>, ArchiveError> {
        match serde_json::from_slice(&read_bounded(content)?) {
            Ok(value) => Ok(Some(value)),
            Err(error) => {
                self.warnings.push(format!("`{name}` is not understood: {error}"));
                Ok(None)
            }
        }
    }
}

/// Reads a small file; what is beyond the bound is cut off, and no longer JSON.
fn read_bounded(content: &mut dyn Read) -> Result<Vec<u8>, ArchiveError> {
    let mut text = Vec::new();
    content.take(META_BYTES_MAX).read_to_end(&mut text)?;
    Ok(text)
}
