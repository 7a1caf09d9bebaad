//! A cluster as somebody wrote it down: a dump, or a collection of manifests.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use super::NodeEndpoint;

mod answering;
mod documents;
mod error;
mod found;
mod intake;
mod kinds;
mod layout;
mod listing;
mod logs;
mod overlay;
mod served;
mod server;
mod store;
mod watching;

pub use error::{SnapshotError, Warning};

use intake::Intake;
use store::Store;

/// A snapshot of a cluster, with the writes that were made to it since it was opened.
///
/// Reads: a Sonobuoy tarball of any age, an `OpenShift` must-gather, the output of `kubectl cluster-info
/// dump`, a folder or file of Kubernetes YAML or JSON, packed or not, and mixtures of these. Writes stay
/// in memory. Objects are held as compact JSON; logs are in an unnamed temporary file.
#[derive(Debug)]
pub struct Snapshot {
    path: PathBuf,
    /// Tells the continue tokens of one snapshot from those of another.
    instance: u64,
    store: Arc<Mutex<Store>>,
    hosts: HashMap<(String, NodeEndpoint), Bytes>,
    logs: logs::Logs,
    version: Option<Bytes>,
    groups: Option<Bytes>,
    warnings: Vec<Warning>,
}

impl Snapshot {
    /// Opens the snapshot at `path`; reads it once, and blocks while it does.
    ///
    /// # Errors
    ///
    /// As [`SnapshotError`] says. A file in it that cannot be understood is not an error, see
    /// [`Snapshot::warnings`]; neither is a snapshot without nodes.
    pub fn open(path: &Path) -> Result<Self, SnapshotError> {
        Ok(Self::build(path, Intake::read(path)?))
    }

    /// Makes a snapshot of the objects in a YAML or JSON text; `name` says where it comes from.
    #[must_use]
    pub fn from_text(name: &str, text: &str) -> Self {
        Self::build(Path::new(name), Intake::read_text(name, text))
    }

    /// Returns what could not be read, in the order of the files; at most a thousand of them.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    fn build(path: &Path, mut intake: Intake) -> Self {
        static INSTANCES: AtomicU64 = AtomicU64::new(1);
        let served = served::serve(&mut intake);
        let Intake { mut warnings, hosts, logs, version, groups, .. } = intake;
        warnings.extend(served.warnings);
        // Distinct between processes, too: a token may have been kept by a plugin that is run again.
        let instance = INSTANCES.fetch_add(1, Ordering::Relaxed) << 32 | u64::from(std::process::id());
        Self {
            path: path.to_path_buf(),
            instance,
            store: Arc::new(Mutex::new(Store::new(served.collections))),
            hosts,
            logs,
            version,
            groups,
            warnings,
        }
    }
}

/// Locks the store. Every write changes it in one step, so it is whole even after a panic of a holder.
fn lock(store: &Mutex<Store>) -> MutexGuard<'_, Store> {
    store.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
