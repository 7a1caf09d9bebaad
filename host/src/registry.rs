//! Which plugins there are: found in folders, read, joined with their definitions, and selected by name.
//!
//! A file that cannot be used is that file's failure and never the others'. Nothing here compiles or runs
//! a component; what it is and what it imports is read from its bytes.

mod candidate;
mod component;
mod contract;
mod discovery;
mod file;
mod join;
mod selection;

pub use candidate::{Candidate, Component, ComponentSource, Origin};
pub use component::{ComponentError, ComponentFacts, MANIFEST_SECTION, inspect};
pub use contract::{Interface, InterfaceVersion, World};
pub use discovery::{Discovered, FileFailure, discover};
pub use file::read_bounded;
pub use selection::{Selected, SelectionError, select};

use std::path::PathBuf;

use porthole_core::manifest::ManifestError;
use thiserror::Error;

/// Why a file gives no plugin.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// The file or folder could not be read.
    #[error("it cannot be read")]
    Unreadable(#[source] std::io::Error),
    /// The file is longer than is read.
    #[error("it has more than the {limit} bytes that are read")]
    TooLarge {
        /// The most that is read, in bytes.
        limit: u64,
    },
    /// The folder holds more files than are looked at.
    #[error("the folder holds more than {limit} files; the rest was not looked at")]
    TooManyFiles {
        /// The most that are looked at.
        limit: usize,
    },
    /// The definition is not text in UTF-8.
    #[error("it is not text in UTF-8, as a definition must be")]
    NotText,
    /// The definition cannot be used.
    #[error("the definition cannot be used")]
    Definition(#[source] ManifestError),
    /// The component cannot be used.
    #[error("the component cannot be used")]
    Component(#[source] Box<ComponentError>),
    /// The manifest inside the component cannot be used.
    #[error("the manifest in the component's section `{}` cannot be used", MANIFEST_SECTION)]
    EmbeddedManifest(#[source] ManifestError),
    /// The component that a definition names cannot be used.
    #[error("plugin `{plugin}`: the component `{}` cannot be used", path.display())]
    NamedComponent {
        /// The plugin's name.
        plugin: String,
        /// The component's file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: Box<RegistryError>,
    },
    /// A definition names no component and none lies beside it.
    #[error("plugin `{plugin}` names no component, and there is none beside its definition (looked for {})", looked_for.join(", "))]
    NoComponent {
        /// The plugin's name.
        plugin: String,
        /// The file names that would have been taken.
        looked_for: Vec<String>,
    },
    /// A component brought no manifest, and there is no definition for it.
    #[error(
        "the component has no manifest inside and no definition beside it (`{stem}.yaml`); \
         only command components (`wasi:cli/run`) go without"
    )]
    NoManifest {
        /// The file's name without its ending.
        stem: String,
    },
    /// Another file brought a plugin of this name before.
    #[error("the plugin `{name}` was already found in {first}, which is used")]
    Duplicate {
        /// The name.
        name: String,
        /// Where the one that is used came from.
        first: String,
    },
    /// The file changed after it was looked at.
    #[error("it changed since it was looked at (it was {expected} and is {found}); start again")]
    Changed {
        /// The digest that it had.
        expected: String,
        /// The digest that it has.
        found: String,
    },
    /// The name ends in nothing that is read.
    #[error("it is neither a component (`.wasm`) nor a definition (`.yaml`, `.yml`, `.json`)")]
    UnknownKind,
}

#[cfg(test)]
mod fixture;
