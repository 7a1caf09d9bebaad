//! A plugin of a run, with everything that its guests get.

use std::sync::Arc;

use porthole_core::grant::Window;
use porthole_core::limits::Limits;
use porthole_core::manifest::{Driver, PluginManifest, Producer};

use crate::imports::Folder;
use crate::plugin::{CommandPlugin, ProducerPlugin};

/// A plugin of a run.
pub struct Prepared {
    /// What it says of itself; its name is unique in the run.
    pub manifest: PluginManifest,
    /// The component's digest, `sha256:` and hexadecimal digits; empty when it could not be read.
    pub digest: String,
    /// The program, or why there is none. A plugin without a program gives error results at once.
    pub program: Result<Program, String>,
    /// What it requested and was granted.
    pub window: Window,
    /// What it may use.
    pub limits: Limits,
    /// Its settings, complete and checked, as JSON text.
    pub config: String,
    /// The folders that it was granted.
    pub folders: Vec<Folder>,
    /// The environment that it was granted, whole.
    pub environment: Vec<(String, String)>,
}

/// What runs.
#[derive(Clone)]
pub enum Program {
    /// A component of the world `producer-plugin`.
    Producer(Arc<ProducerPlugin>),
    /// A plain program.
    Command(Arc<CommandPlugin>),
}

impl Prepared {
    /// Returns the plugin's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.manifest.name
    }

    /// Returns how it collects; a manifest without a producer counts as a `Job` without settings, so that
    /// its failure has a target to be reported for.
    #[must_use]
    pub fn producer(&self) -> Producer {
        self.manifest.producer.clone().unwrap_or_default()
    }

    /// Returns whether it has one target per node.
    #[must_use]
    pub fn per_node(&self) -> bool {
        self.producer().driver == Driver::DaemonSet
    }
}
