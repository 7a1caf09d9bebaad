//! How one target of a plugin ended.

use std::time::Duration;

use serde_json::{Value, json};

use crate::engine::{StopReason, Usage};
use crate::plugin::{CallOutcome, CallReport};

/// How one target ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TargetOutcome {
    /// `None` when the plugin did its work; what it found is another matter.
    pub failure: Option<Failure>,
    /// What the guest used.
    pub usage: Usage,
    /// Wall clock from its start to its end.
    pub duration: Duration,
}

/// Why a target has no or no whole result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// The kind of reason.
    pub reason: FailureReason,
    /// The reason, for people.
    pub message: String,
    /// The guest's functions that were running, innermost first; empty when it was not stopped.
    pub functions: Vec<String>,
    /// The last words on its standard error; bounded.
    pub last_words: String,
}

/// The kind of reason for a failure, as in `reason` of `error.json`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureReason {
    /// It could not be started: no such component, not granted, wrong settings.
    Refused,
    /// It says itself that it could not do its work.
    Failed,
    /// It was not done in time.
    Timeout,
    /// It hit one of its bounds.
    Limit,
    /// It trapped.
    Trap,
    /// Nothing of its cluster was there to run on, for instance no node.
    NoTarget,
    /// The operator stopped the run.
    Interrupted,
    /// The host failed.
    Host,
}

impl FailureReason {
    /// Returns the word in `error.json`.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::Timeout => "timeout",
            Self::Limit => "limit",
            Self::Trap => "trap",
            Self::NoTarget => "no-target",
            Self::Interrupted => "interrupted",
            Self::Host => "host",
        }
    }
}

/// Bytes of a guest's last words in its error result.
const LAST_WORDS: usize = 4096;

impl TargetOutcome {
    /// Returns the outcome of a target that failed.
    #[must_use]
    pub fn failed(reason: FailureReason, message: impl Into<String>) -> Self {
        let failure = Failure { reason, message: message.into(), functions: Vec::new(), last_words: String::new() };
        Self { failure: Some(failure), usage: Usage::default(), duration: Duration::ZERO }
    }

    /// Returns the outcome with the time that it took.
    #[must_use]
    pub fn after(mut self, duration: Duration) -> Self {
        self.duration = duration;
        self
    }

    /// Returns whether the plugin did its work.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.failure.is_none()
    }

    /// Returns the outcome of a call.
    #[must_use]
    pub fn from_call(report: &CallReport) -> Self {
        let failure = match &report.outcome {
            CallOutcome::Done => None,
            CallOutcome::Failed { kind: "other" | "exit-code", message } => {
                Some(failure(FailureReason::Failed, message, report))
            }
            CallOutcome::Failed { kind, message } => {
                Some(failure(FailureReason::Failed, &format!("{kind}: {message}"), report))
            }
            CallOutcome::Stopped(stop) => {
                let reason = match stop.reason {
                    StopReason::WallClock { .. } => FailureReason::Timeout,
                    StopReason::Trap { .. } => FailureReason::Trap,
                    StopReason::Host { .. } => FailureReason::Host,
                    StopReason::Memory { .. }
                    | StopReason::Table { .. }
                    | StopReason::Processor { .. }
                    | StopReason::Budget { .. } => FailureReason::Limit,
                };
                let mut failure = failure(reason, &stop.to_string(), report);
                if let (FailureReason::Trap, Some(panic)) = (reason, panic_message(&failure.last_words)) {
                    failure.message = format!("it panicked: {panic}; {}", failure.message);
                }
                failure.functions = stop.functions.clone();
                Some(failure)
            }
        };
        Self { failure, usage: report.usage, duration: report.usage.wall }
    }
}

impl Failure {
    /// Returns the error result, as Sonobuoy lays it out: an object with `error`, and more.
    #[must_use]
    pub fn document(&self, usage: Usage) -> Value {
        let mut document = json!({
            "error": self.message,
            "reason": self.reason.word(),
            "usage": {
                "peakMemoryBytes": usage.peak_memory_bytes,
                "processorSeconds": usage.processor.as_secs_f64(),
                "wallSeconds": usage.wall.as_secs_f64(),
            },
        });
        if !self.functions.is_empty() {
            document["functions"] = json!(self.functions);
        }
        if !self.last_words.is_empty() {
            document["stderr"] = json!(self.last_words);
        }
        document
    }
}

/// Returns what a Rust guest said when it panicked: the line after `panicked at <place>:`, and the place.
fn panic_message(last_words: &str) -> Option<String> {
    let mut lines = last_words.lines().skip_while(|line| !line.contains("panicked at "));
    let place = lines.next()?.split_once("panicked at ")?.1.trim_end_matches(':');
    let message = lines.next().unwrap_or("without a message");
    Some(format!("{message} ({place})"))
}

fn failure(reason: FailureReason, message: &str, report: &CallReport) -> Failure {
    let words = report.stderr.trim();
    let begin = words.ceil_char_boundary(words.len().saturating_sub(LAST_WORDS));
    Failure { reason, message: message.to_owned(), functions: Vec::new(), last_words: words[begin..].to_owned() }
}
