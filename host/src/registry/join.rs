//! Joins a component with what is said about it: the section inside it, or a definition, which wins.
//!
//! A definition is the operator's word and replaces the embedded manifest whole. Only what its form cannot
//! express comes from the section: Sonobuoy's forms know neither requests, limits nor a schema.

use std::path::{Path, PathBuf};

use porthole_core::limits;
use porthole_core::manifest::{self, ManifestFormat, PluginManifest};

use super::component::{self, ComponentFacts};
use super::contract::World;
use super::{Candidate, Component, ComponentSource, Origin, RegistryError, file};

/// Endings of definitions, in the order in which one beside a component is looked for.
pub(super) const DEFINITION_ENDINGS: [&str; 3] = ["yaml", "yml", "json"];

/// How a component was come across.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// It lies in a folder that was searched.
    Found,
    /// Somebody named it.
    Explicit,
}

/// Reads a component's file that has no definition.
pub(super) fn component_file(path: &Path, naming: Naming) -> Result<Candidate, RegistryError> {
    let facts = inspect_file(path)?;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let manifest = manifest_of(&facts, &stem, naming)?;
    let component = Component::new(facts, ComponentSource::File(path.to_owned()));
    Ok(Candidate { manifest, component: Some(component), origin: Origin::ComponentFile(path.to_owned()) })
}

/// A definition's file, read.
pub(super) struct Definition {
    /// The file.
    pub(super) path: PathBuf,
    /// What it defines, with the component that each plugin names or that lies beside it.
    pub(super) plugins: Vec<(PluginManifest, Option<PathBuf>)>,
}

/// Reads a definition's file, without looking into the components that it names.
pub(super) fn read_definition(path: &Path) -> Result<Definition, RegistryError> {
    let bytes = file::read_bounded(path, limits::MANIFEST)?;
    let text = String::from_utf8(bytes).map_err(|_| RegistryError::NotText)?;
    let manifests = manifest::read(&text).map_err(RegistryError::Definition)?;
    let single = manifests.len() == 1;
    let plugins = manifests.into_iter().map(|manifest| {
        let component = component_path(path, &manifest, single);
        (manifest, component)
    });
    Ok(Definition { path: path.to_owned(), plugins: plugins.collect() })
}

/// Returns the component that a manifest names, or one beside it that bears its name.
fn component_path(definition: &Path, manifest: &PluginManifest, single: bool) -> Option<PathBuf> {
    let folder = definition.parent().unwrap_or(Path::new("."));
    if let Some(named) = &manifest.component {
        return Some(folder.join(named.strip_prefix("./").unwrap_or(named)));
    }
    let beside = single.then(|| definition.with_extension("wasm"));
    let called = folder.join(format!("{}.wasm", manifest.name));
    beside.into_iter().chain([called]).find(|path| path.is_file())
}

/// Joins one plugin of a definition with its component.
pub(super) fn join(
    definition: &Path,
    mut manifest: PluginManifest,
    component: Option<PathBuf>,
) -> Result<Candidate, RegistryError> {
    let origin = Origin::Definition(definition.to_owned());
    if manifest.format == ManifestFormat::Kops {
        return Ok(Candidate { manifest, component: None, origin });
    }
    let Some(path) = component else {
        let mut looked_for = vec![format!("`{}.wasm`", manifest.name)];
        if let Some(stem) = definition.file_stem() {
            looked_for.insert(0, format!("`{}.wasm`", stem.to_string_lossy()));
        }
        looked_for.dedup();
        return Err(RegistryError::NoComponent { plugin: manifest.name, looked_for });
    };
    let facts = match inspect_file(&path) {
        Ok(facts) => facts,
        Err(source) => {
            return Err(RegistryError::NamedComponent { plugin: manifest.name, path, source: Box::new(source) });
        }
    };
    if let (ManifestFormat::Sonobuoy | ManifestFormat::Flat, Some(text)) = (manifest.format, &facts.manifest) {
        let embedded = manifest::read_one(text).map_err(RegistryError::EmbeddedManifest)?;
        manifest.version = embedded.version;
        manifest.license = embedded.license;
        manifest.requests = embedded.requests;
        manifest.limits = embedded.limits;
        manifest.config = embedded.config;
    }
    let component = Component::new(facts, ComponentSource::File(path));
    Ok(Candidate { manifest, component: Some(component), origin })
}

/// Returns the manifest that a component brought, or the one that the host makes up for it.
///
/// One is made up for a command, which cannot know of Porthole, and for whatever somebody named.
pub(super) fn manifest_of(facts: &ComponentFacts, stem: &str, naming: Naming) -> Result<PluginManifest, RegistryError> {
    if let Some(text) = &facts.manifest {
        return manifest::read_one(text).map_err(RegistryError::EmbeddedManifest);
    }
    if naming == Naming::Found && !facts.worlds.contains(&World::Command) {
        return Err(RegistryError::NoManifest { stem: stem.to_owned() });
    }
    // Compilers name files after crates, whose `_` no plugin's name may have.
    let name = stem.to_lowercase().replace(['_', ' '], "-");
    manifest::check_name("file name", &name).map_err(RegistryError::Definition)?;
    Ok(PluginManifest::of_command(name))
}

fn inspect_file(path: &Path) -> Result<ComponentFacts, RegistryError> {
    let bytes = file::read_bounded(path, limits::COMPONENT)?;
    component::inspect(&bytes).map_err(|error| RegistryError::Component(Box::new(error)))
}
