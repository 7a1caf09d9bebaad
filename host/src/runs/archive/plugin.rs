//! From the files of each plugin to its tree.

use std::collections::BTreeMap;
use std::path::Path;

use porthole_core::results::processing::{Interest, PARSED_FILE_BYTES_MAX};
use porthole_core::results::{Item, Mode, Processor, aggregate};

use super::gather::{Content, Gathered, Health, Plugin};
use super::spill::{Extent, Spill};
use super::{ResultsError, RunArchive, Selection};

/// The results of one plugin.
#[derive(Debug)]
pub(super) struct PluginResults {
    pub(super) name: String,
    root: Item,
    pub(super) recorded: Option<Extent>,
    pub(super) files: BTreeMap<String, Content>,
    /// The item to show, if it is not the root.
    pub(super) selected: Option<Item>,
}

impl PluginResults {
    /// Returns the tree to show.
    pub(super) fn item(&self) -> &Item {
        self.selected.as_ref().unwrap_or(&self.root)
    }
}

/// Selects plugins and gives each its tree.
pub(super) fn settle(path: &Path, selection: &Selection<'_>, gathered: Gathered) -> Result<RunArchive, ResultsError> {
    let Gathered { mut plugins, listed, loaded, health, mut spill, mut warnings, damage } = gathered;
    let mut names: Vec<String> = Vec::new();
    for name in listed.into_iter().chain(plugins.keys().cloned()) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return Err(ResultsError::NoPlugins { path: path.to_path_buf() });
    }
    if let Some(wanted) = selection.plugin {
        if !names.iter().any(|name| name == wanted) {
            return Err(ResultsError::UnknownPlugin {
                path: path.to_path_buf(),
                plugin: wanted.to_owned(),
                known: names,
            });
        }
        names.retain(|name| name == wanted);
    }
    let mut results = Vec::new();
    for name in &names {
        let mut plugin = plugins.remove(name).unwrap_or_default();
        if plugin.definition.is_none() {
            plugin.definition = loaded.get(name).cloned();
        }
        let root = tree(name, &plugin, selection.mode, &mut spill, &mut warnings)?;
        let Plugin { recorded, files, .. } = plugin;
        let selected = match selection.node {
            None => None,
            Some(node) => match root.find(node) {
                Some(item) => Some(item.clone()),
                None => continue,
            },
        };
        results.push(PluginResults { name: name.clone(), root, recorded, files, selected });
    }
    if results.is_empty() {
        let node = selection.node.unwrap_or_default().to_owned();
        return Err(ResultsError::UnknownNode { node, plugins: names });
    }
    // Sonobuoy shows the section also when nothing was recorded.
    let health = health.or_else(|| selection.plugin.is_none().then(Health::default));
    Ok(RunArchive { plugins: results, health, spill, warnings, damage })
}

/// Returns the recorded tree, or makes one from the plugin's files.
fn tree(
    name: &str,
    plugin: &Plugin,
    mode: Mode,
    spill: &mut Spill,
    warnings: &mut Vec<String>,
) -> Result<Item, ResultsError> {
    if let Some(extent) = plugin.recorded {
        match recorded(extent, mode, spill)? {
            Ok(root) => return Ok(root),
            Err(reason) => {
                warnings.push(format!("`plugins/{name}/sonobuoy_results.yaml` is not understood: {reason}"));
            }
        }
    }
    let definition = plugin.definition.clone().unwrap_or_default();
    let shape = definition.guess(name, plugin.files.keys().map(String::as_str));
    let mut processor = Processor::new(shape, mode);
    for (path, content) in &plugin.files {
        match (processor.interest(path), content) {
            (Interest::Ignored, _) => {}
            (_, Content::Broken(reason)) => processor.add_unreadable(path, reason),
            (Interest::Content, Content::Kept(extent)) if extent.bytes > PARSED_FILE_BYTES_MAX => {
                processor.add_unreadable(path, &format!("the file is larger than {PARSED_FILE_BYTES_MAX} bytes"));
            }
            (Interest::Content, Content::Kept(extent)) => {
                processor.add(path, &spill.whole(*extent).map_err(ResultsError::Spill)?);
            }
            (Interest::Content, Content::NotKept) => processor.add_unreadable(path, "the content was not kept"),
            (Interest::Name, _) => processor.add(path, &[]),
        }
    }
    Ok(processor.finish())
}

fn recorded(extent: Extent, mode: Mode, spill: &mut Spill) -> Result<Result<Item, String>, ResultsError> {
    if extent.bytes > PARSED_FILE_BYTES_MAX {
        return Ok(Err(format!("larger than {PARSED_FILE_BYTES_MAX} bytes")));
    }
    let text = spill.whole(extent).map_err(ResultsError::Spill)?;
    Ok(match serde_yaml::from_slice::<Item>(&text) {
        Ok(mut root) => {
            if mode == Mode::Strict {
                aggregate(&mut root, mode);
            }
            Ok(root)
        }
        Err(error) => Err(error.to_string()),
    })
}
