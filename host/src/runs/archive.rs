//! Reading a run back: the tarball or folder behind `porthole results`.
//!
//! The file is read once, from front to back. Contents that may be needed later go to an unnamed
//! temporary file, because a tarball does not say in which order it holds them; memory holds names and
//! items only. All generations of Sonobuoy's layout are understood, and a tarball that breaks off gives
//! what it has.

use std::io;
use std::path::{Path, PathBuf};

use porthole_core::report::ClusterHealth;
use porthole_core::results::{Item, Mode};

use crate::cluster::archive::ArchiveError;

mod definition;
mod gather;
mod plugin;
mod print;
mod spill;

pub use print::{OutputMode, Prefix};

/// What is wanted of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Selection<'a> {
    /// Only this plugin; `None` for all, and the health of the cluster.
    pub plugin: Option<&'a str>,
    /// Only what is below the first item of this name; `None` for the whole tree.
    pub node: Option<&'a str>,
    /// What will be printed; decides what has to be kept of the files.
    pub output: OutputMode,
    /// How verdicts are drawn. Strict sums recorded items up again; compat takes them as they are.
    pub mode: Mode,
}

/// Why a run could not be read or shown.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The file or folder could not be read.
    #[error("cannot read `{}`", path.display())]
    Archive {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: ArchiveError,
    },
    /// There is no plugin in it.
    #[error("there are no plugin results in `{}` (looked for `meta/info.json` and `plugins/<name>/`)", path.display())]
    NoPlugins {
        /// The file or folder.
        path: PathBuf,
    },
    /// The plugin that was asked for is not in it.
    #[error("there is no plugin `{plugin}` in `{}` (there are: {})", path.display(), known.join(", "))]
    UnknownPlugin {
        /// The file or folder.
        path: PathBuf,
        /// What was asked for.
        plugin: String,
        /// What there is.
        known: Vec<String>,
    },
    /// No item has the name that was asked for.
    #[error("there is no item `{node}` in the results of {}", plugins.join(", "))]
    UnknownNode {
        /// What was asked for.
        node: String,
        /// Where it was looked for.
        plugins: Vec<String>,
    },
    /// The temporary file failed, for instance because the disk is full.
    #[error("cannot keep results in a temporary file")]
    Spill(#[source] io::Error),
    /// The output could not be written. A broken pipe means that the reader has seen enough.
    #[error("cannot write the results")]
    Output(#[source] io::Error),
}

/// A run that was read.
#[derive(Debug)]
pub struct RunArchive {
    plugins: Vec<plugin::PluginResults>,
    health: Option<gather::Health>,
    spill: spill::Spill,
    warnings: Vec<String>,
    damage: Option<ArchiveError>,
}

impl RunArchive {
    /// Reads the tarball or folder at `path`.
    ///
    /// Plugins come in the order of `meta/info.json`, then those that it does not name, by name. A plugin
    /// without recorded items is post-processed.
    ///
    /// # Errors
    ///
    /// As [`ResultsError`] says. Damage behind the first plugin is *not* an error: see
    /// [`RunArchive::damage`].
    pub fn read(path: &Path, selection: &Selection<'_>) -> Result<Self, ResultsError> {
        let gathered = gather::gather(path, selection)?;
        plugin::settle(path, selection, gathered)
    }

    /// Returns the trees of the selected plugins.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.plugins.iter().map(plugin::PluginResults::item)
    }

    /// Returns the recorded health of the cluster; `None` when none is recorded or one plugin is selected.
    #[must_use]
    pub fn health(&self) -> Option<&ClusterHealth> {
        self.health.as_ref().filter(|health| !health.text.is_empty()).map(|health| &health.summary)
    }

    /// Returns what did not fit together but did not stop the reading, one line each.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns why the archive could not be read to its end; what came before is there.
    #[must_use]
    pub fn damage(&self) -> Option<&ArchiveError> {
        self.damage.as_ref()
    }
}

#[cfg(test)]
mod tests;
