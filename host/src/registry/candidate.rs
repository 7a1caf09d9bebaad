//! A plugin that was found and looks usable, before anything of it is compiled or granted.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use porthole_core::limits;
use porthole_core::manifest::PluginManifest;

use super::component::{self, ComponentFacts};
use super::contract::{Interface, World};
use super::{RegistryError, file, join};

/// A plugin that was found and looks usable.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// What it says of itself; its name is the one that it runs under.
    pub manifest: PluginManifest,
    /// What runs; `None` for a plugin that runs outside the sandbox (a kops hook).
    pub component: Option<Component>,
    /// Where it came from.
    pub origin: Origin,
}

/// The component of a plugin.
#[derive(Debug, Clone)]
pub struct Component {
    /// Where its bytes are.
    pub source: ComponentSource,
    /// `sha256:` and the digest of its bytes in hexadecimal; grants are bound to it.
    pub digest: String,
    /// What the host can do with it; never empty.
    pub worlds: Vec<World>,
    /// What it imports, sorted: proof of what it can use at most.
    pub imports: Vec<Interface>,
}

/// Where the bytes of a component are.
#[derive(Clone, PartialEq, Eq)]
pub enum ComponentSource {
    /// In a file, which is read again when the component is loaded.
    File(PathBuf),
    /// In memory.
    Bytes(Arc<[u8]>),
}

/// Bytes are shown as their number.
impl fmt::Debug for ComponentSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(formatter, "File({})", path.display()),
            Self::Bytes(bytes) => write!(formatter, "Bytes({})", bytes.len()),
        }
    }
}

/// Where a plugin came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// It is part of the host's own binary.
    Embedded,
    /// It was a component's file that needed no definition.
    ComponentFile(PathBuf),
    /// It was a definition's file, which may name a component.
    Definition(PathBuf),
}

impl Origin {
    /// Returns the file; `None` for a plugin of the host's own binary.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        match self {
            Self::Embedded => None,
            Self::ComponentFile(path) | Self::Definition(path) => Some(path),
        }
    }
}

/// The file in backticks, or the words `the host itself`.
impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path() {
            None => formatter.write_str("the host itself"),
            Some(path) => write!(formatter, "`{}`", path.display()),
        }
    }
}

impl Candidate {
    /// Reads a component that is part of the host's own binary.
    ///
    /// `name` is used where the component brought no manifest.
    ///
    /// # Errors
    ///
    /// [`RegistryError`], as for a component that was named by its file.
    pub fn from_bytes(name: &str, bytes: Arc<[u8]>) -> Result<Self, RegistryError> {
        let facts = component::inspect(&bytes).map_err(|error| RegistryError::Component(Box::new(error)))?;
        let manifest = join::manifest_of(&facts, name, join::Naming::Explicit)?;
        let component = Component::new(facts, ComponentSource::Bytes(bytes));
        Ok(Self { manifest, component: Some(component), origin: Origin::Embedded })
    }

    /// Returns the name that it runs under.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.manifest.name
    }
}

impl Component {
    pub(super) fn new(facts: ComponentFacts, source: ComponentSource) -> Self {
        Self { source, digest: facts.digest, worlds: facts.worlds, imports: facts.imports }
    }

    /// Returns the component's bytes; a file is read again and must be as it was.
    ///
    /// Blocking: call it off the async threads.
    ///
    /// # Errors
    ///
    /// [`RegistryError::Changed`] when the file has other bytes than those that were looked at, which is
    /// what a grant is bound to; [`RegistryError::Unreadable`] and [`RegistryError::TooLarge`].
    pub fn load(&self) -> Result<Arc<[u8]>, RegistryError> {
        let path = match &self.source {
            ComponentSource::Bytes(bytes) => return Ok(Arc::clone(bytes)),
            ComponentSource::File(path) => path,
        };
        let bytes = file::read_bounded(path, limits::COMPONENT)?;
        let found = component::digest(&bytes);
        if found != self.digest {
            return Err(RegistryError::Changed { expected: self.digest.clone(), found });
        }
        Ok(bytes.into())
    }
}
