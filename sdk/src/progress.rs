//! How far the work has come, for the operator who watches.

use crate::host;

/// Work of a known number of steps.
#[derive(Debug)]
pub struct Steps(());

impl Steps {
    /// Begins with `total` steps, none of them done.
    #[must_use]
    pub fn new(total: usize) -> Self {
        host::progress_state(total as u64, 0, "", &[], &[]);
        Self(())
    }

    /// One more step is done.
    pub fn done(&self, message: &str) {
        host::progress_advance(1, &[], message);
    }

    /// One more step failed.
    pub fn failed(&self, name: &str) {
        host::progress_advance(0, &[name], name);
    }
}

/// Says what is being done, for work whose steps are not counted.
pub fn message(message: &str) {
    host::progress_state(0, 0, message, &[], &[]);
}
