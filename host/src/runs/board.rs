//! The status of a run while it goes on, for whoever watches.

use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use porthole_core::progress::Progress;
use porthole_core::results::{Counts, Status};
use porthole_core::status::{RunPhase, RunStatus, TarInfo, TargetPhase, TargetStatus};

use super::folder::write_whole;

/// The status of a run; every change is one short lock.
#[derive(Debug, Default)]
pub struct Board {
    status: Mutex<RunStatus>,
}

impl Board {
    /// Returns a copy of the status.
    #[must_use]
    pub fn status(&self) -> RunStatus {
        self.lock().clone()
    }

    /// Writes the status where `porthole status` looks for it.
    ///
    /// # Errors
    ///
    /// Fails when the disk does.
    pub fn write(&self, path: &Path) -> io::Result<()> {
        write_whole(path, &serde_json::to_vec_pretty(&self.status())?)
    }

    pub(super) fn expect(&self, plugin: &str, target: &str) {
        let entry = TargetStatus { plugin: plugin.to_owned(), node: target.to_owned(), ..TargetStatus::default() };
        self.lock().plugins.push(entry);
    }

    pub(super) fn progress(&self, index: usize, progress: &Progress) {
        if let Some(entry) = self.lock().plugins.get_mut(index) {
            entry.progress = Some(progress.clone());
        }
    }

    pub(super) fn finished(&self, index: usize, error: Option<String>) {
        let mut status = self.lock();
        if let Some(entry) = status.plugins.get_mut(index) {
            entry.status = if error.is_some() { TargetPhase::Failed } else { TargetPhase::Complete };
            entry.error = error;
        }
        status.settle();
    }

    pub(super) fn verdict(&self, plugin: &str, target: &str, verdict: &Status, counts: &Counts) {
        let mut status = self.lock();
        let entry = status.plugins.iter_mut().find(|entry| entry.plugin == plugin && entry.node == target);
        if let Some(entry) = entry {
            entry.result_status = Some(verdict.clone());
            entry.result_counts = Some(counts.clone());
        }
    }

    pub(super) fn packed(&self, tarball: TarInfo) {
        let mut status = self.lock();
        status.status = RunPhase::Complete;
        status.tar_info = tarball;
    }

    fn lock(&self) -> MutexGuard<'_, RunStatus> {
        // Entries are replaced whole.
        self.status.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
