//! Runs: plugins are planned, run side by side within their bounds, summed up, packed, and read again.

mod board;
mod collector;
mod done_file;
mod execute;
mod finish;
mod folder;
mod log;
mod outcome;
mod plan;
mod prepared;
mod spill;
mod target;
mod view;

pub mod archive;
pub mod processing;
pub mod tarball;

pub use board::Board;
pub use execute::{Finished, GRACE, RunTerms, execute, state_folder};
pub use finish::{Closing, finish};
pub use folder::RunFolder;
pub use outcome::{Failure, FailureReason, TargetOutcome};
pub use plan::{GLOBAL, Plan, PlannedTarget};
pub use prepared::{Prepared, Program};
pub use view::{SharedView, Whole};

/// Why a run could not go on. A plugin's failure is never among these.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The run's own files cannot be written or read.
    #[error("the run's folder failed: {0}")]
    Folder(String),
    /// The tarball could not be made.
    #[error("the tarball could not be made: {0}")]
    Pack(String),
}
