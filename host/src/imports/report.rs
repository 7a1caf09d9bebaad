//! Where a guest's reports go: the seam between host functions and whoever keeps results.

use std::time::Duration;

use serde_json::{Map, Value};

/// How much a line of the log matters, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Steps of interest to the plugin's author alone.
    Trace,
    /// Details that explain a result.
    Debug,
    /// What a reader of the run's log wants to know.
    Info,
    /// Something is not as expected, and the result stands all the same.
    Warn,
    /// The plugin could not do a part of its work.
    Error,
}

/// One line of a plugin's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogLine {
    /// How much it matters.
    pub level: LogLevel,
    /// The text; control characters are still in it.
    pub message: String,
    /// What varies, in the plugin's order.
    pub fields: Vec<(String, String)>,
}

/// How a plugin says how far it has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProgressReport {
    /// The whole state.
    State {
        /// How many steps there are; 0 while that is not known.
        total: u64,
        /// How many are done without failure.
        completed: u64,
        /// What is being done now.
        message: String,
        /// Names of steps that failed.
        failures: Vec<String>,
        /// Errors that are not the failure of a step.
        errors: Vec<String>,
    },
    /// A change to the state.
    Increment {
        /// Steps done since the last report.
        completed: u64,
        /// Names of steps that failed since the last report.
        failures: Vec<String>,
        /// Whether these steps are new and count towards the total.
        total_grows: bool,
        /// What is being done now.
        message: String,
    },
}

/// The verdict of a reported item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportedStatus {
    /// In order.
    Passed,
    /// Not in order.
    Failed,
    /// Not looked at, on purpose.
    Skipped,
    /// Could not be decided.
    Unknown,
    /// The plugin's own word.
    Custom(String),
}

/// One thing that a plugin looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportedItem {
    /// Names from the outermost group to the item; at least one.
    pub path: Vec<String>,
    /// The verdict.
    pub status: ReportedStatus,
    /// What supports it; empty for nothing.
    pub details: Map<String, Value>,
}

/// Where a file goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Into the plugin's own folder.
    Plugin,
    /// Among the run's cluster data.
    Cluster,
}

/// Why a report was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReportError {
    /// The path cannot be one.
    InvalidPath(String),
    /// The file is there already.
    Exists(String),
    /// A bound of the plugin would be passed.
    LimitExceeded {
        /// The bound's name, as in `spec.limits`.
        name: &'static str,
        /// The bound.
        value: u64,
    },
    /// The details are not a JSON object.
    InvalidDetails(String),
    /// The operator did not grant it; the text says what would.
    Denied(String),
    /// The host could not keep it.
    Storage(String),
}

/// A file that a guest is writing. Dropping it completes it.
pub trait ReportFile: Send {
    /// Appends bytes, all or none.
    ///
    /// # Errors
    ///
    /// Fails at the plugin's bounds or when the host cannot keep it.
    fn write(&mut self, bytes: &[u8]) -> Result<(), ReportError>;
}

/// Takes what one guest says during one call. Methods are short and may block on the disk.
pub trait Reporter: Send + Sync {
    /// Keeps a line of the log, or counts it where no more are kept.
    fn log(&self, line: LogLine);

    /// Keeps the newest progress.
    fn progress(&self, report: ProgressReport);

    /// Keeps items, all or none.
    ///
    /// # Errors
    ///
    /// Fails at the plugin's bounds or when the host cannot keep them.
    fn items(&self, items: Vec<ReportedItem>) -> Result<(), ReportError>;

    /// Starts a file below the place that `placement` names.
    ///
    /// # Errors
    ///
    /// Fails for a path that leaves its place, exists, is not granted, or cannot be made.
    fn create_file(
        &self,
        placement: Placement,
        path: &str,
        media_type: &str,
    ) -> Result<Box<dyn ReportFile>, ReportError>;
}

/// The terms of one call, as the guest sees them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallContext {
    /// The run's id.
    pub run_id: String,
    /// The node that the call is about, for a producer that runs per node.
    pub node_name: Option<String>,
    /// Wall clock left when the call begins.
    pub time_left: Duration,
    /// 1 for the first attempt.
    pub attempt: u32,
    /// The same for every attempt of the same work.
    pub idempotency_key: String,
    /// Whether writes are recorded and not sent.
    pub dry_run: bool,
}
