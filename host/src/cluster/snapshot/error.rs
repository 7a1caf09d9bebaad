//! Why a snapshot could not be opened, and what in it could not be read.

use std::path::PathBuf;

use crate::cluster::archive::ArchiveError;

/// Why a snapshot could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum SnapshotError {
    /// The file or folder could not be read to its end.
    #[error("cannot read the snapshot `{}`", path.display())]
    Archive {
        /// The snapshot.
        path: PathBuf,
        /// Why not.
        source: ArchiveError,
    },
    /// Nothing in it is a Kubernetes object.
    #[error(
        "`{}` holds no Kubernetes objects ({files} files looked at{}); looked for: a Sonobuoy tarball (`resources/`), \
         an OpenShift must-gather (`cluster-scoped-resources/`, `namespaces/`), the output of `kubectl cluster-info \
         dump`, or files `*.json`, `*.yaml`, `*.yml` of Kubernetes objects",
        path.display(),
        first.as_ref().map_or_else(String::new, |warning| format!("; the first that was not readable: {warning}"))
    )]
    NothingReadable {
        /// The snapshot.
        path: PathBuf,
        /// How many files it has.
        files: u64,
        /// The first file that looked like objects but was not readable.
        first: Option<Warning>,
    },
    /// It holds more than the host is willing to keep in memory.
    #[error("the snapshot `{}` holds more than {limit} {unit}", path.display())]
    TooLarge {
        /// The snapshot.
        path: PathBuf,
        /// The bound.
        limit: u64,
        /// What is counted.
        unit: &'static str,
    },
    /// Logs could not be put aside.
    #[error("cannot put the logs of the snapshot `{}` into a temporary file", path.display())]
    Storage {
        /// The snapshot.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
}

/// A part of a snapshot that was left out because it could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// The file inside the snapshot.
    pub path: String,
    /// What is wrong with it; with line and column where they are known.
    pub reason: String,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "`{}`: {}", self.path, self.reason)
    }
}
