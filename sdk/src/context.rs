//! The terms of a call.

use std::time::Duration;

/// Where and under which terms a plugin runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    /// The run's id, a UUID; the same for all plugins and nodes of a run.
    pub run_id: String,
    /// The node that this call is about; `None` for driver `Job`.
    pub node_name: Option<String>,
    /// Wall clock left when the call began; the host stops the plugin after it.
    pub time_left: Duration,
    /// 1 for the first attempt.
    pub attempt: u32,
    /// The same for every attempt of the same work.
    pub idempotency_key: String,
    /// Whether writes are recorded and not made.
    pub dry_run: bool,
}

impl Context {
    /// Returns the terms of the call that is running.
    #[must_use]
    pub fn current() -> Self {
        crate::host::context()
    }
}
