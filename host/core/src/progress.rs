//! How far a plugin has come: Sonobuoy's `ProgressUpdate`, absolute and appending.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

/// How many failures, and how many errors, are kept of one plugin and target; the first ones. Without it
/// a plugin that appends for ever would grow the host's memory and every status that is written.
pub const NAMES_MAX: usize = 100;
/// How long each of them, and the message, may be, in bytes; the rest is cut off, for the same reason.
pub const NAME_BYTES_MAX: usize = 1024;

/// The newest state of one plugin on one target, as `status --json` shows it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Progress {
    /// The plugin's name.
    #[serde(default)]
    pub name: String,
    /// The node, or `global`.
    #[serde(default)]
    pub node: String,
    /// When it was reported, in RFC 3339.
    #[serde(default)]
    pub timestamp: String,
    /// What is being done, one line.
    #[serde(default, rename = "msg")]
    pub message: String,
    /// How many steps there are; 0 while that is not known.
    #[serde(default)]
    pub total: u64,
    /// How many steps are done without failure.
    #[serde(default)]
    pub completed: u64,
    /// Errors that are not the failure of a step; at most [`NAMES_MAX`].
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "or_empty")]
    pub errors: Vec<String>,
    /// Names of steps that failed; at most [`NAMES_MAX`].
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "or_empty")]
    pub failures: Vec<String>,
    /// How many failures there were in all, when more than `failures` holds.
    #[serde(default, rename = "failures-total", skip_serializing_if = "is_zero")]
    failures_total: u64,
}

/// What a plugin reports: the body of Sonobuoy's progress route. Unknown keys are ignored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Update {
    /// As [`Progress::message`].
    #[serde(default, rename = "msg")]
    pub message: String,
    /// As [`Progress::total`].
    #[serde(default, deserialize_with = "number")]
    pub total: u64,
    /// As [`Progress::completed`].
    #[serde(default, deserialize_with = "number")]
    pub completed: u64,
    /// As [`Progress::errors`].
    #[serde(default, deserialize_with = "or_empty")]
    pub errors: Vec<String>,
    /// As [`Progress::failures`].
    #[serde(default, deserialize_with = "or_empty")]
    pub failures: Vec<String>,
    /// Whether the steps of this update are added to the total.
    #[serde(default, rename = "appendtotals")]
    pub append_totals: bool,
    /// Steps that were done since the last update.
    #[serde(default, rename = "appendcompleted", deserialize_with = "number")]
    pub append_completed: u64,
    /// Names of steps that failed since the last update.
    #[serde(default, rename = "appendfailing", deserialize_with = "or_empty")]
    pub append_failing: Vec<String>,
}

/// Reads a number as Go's `int` would be read; a negative one means none.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let number = Option::<i64>::deserialize(deserializer)?.unwrap_or_default();
    Ok(u64::try_from(number).unwrap_or_default())
}

fn or_empty<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(Option::<Vec<String>>::deserialize(deserializer)?.unwrap_or_default())
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Update {
    /// Returns whether this is added to the state rather than replacing it.
    #[must_use]
    pub fn is_appending(&self) -> bool {
        self.append_totals || self.append_completed > 0 || !self.append_failing.is_empty()
    }
}

impl Progress {
    /// Returns the state before the first report of `plugin` on `node`.
    #[must_use]
    pub fn new(plugin: impl Into<String>, node: impl Into<String>) -> Self {
        Self { name: plugin.into(), node: node.into(), ..Self::default() }
    }

    /// Takes in an update that arrived at `timestamp` (RFC 3339). Lists and texts are cut to their bounds.
    ///
    /// An appending update keeps message and errors unless it brings its own.
    pub fn apply(&mut self, update: Update, timestamp: impl Into<String>) {
        self.timestamp = timestamp.into();
        if !update.is_appending() {
            self.message = cut(update.message);
            self.total = update.total;
            self.completed = update.completed;
            self.errors = bounded(update.errors);
            self.failures_total = 0;
            self.failures = Vec::new();
            self.add_failures(update.failures);
            return;
        }
        let failing = count(&update.append_failing);
        self.completed = self.completed.saturating_add(update.append_completed);
        if update.append_totals {
            self.total = self.total.saturating_add(update.append_completed).saturating_add(failing);
        }
        self.add_failures(update.append_failing);
        if !update.message.is_empty() {
            self.message = cut(update.message);
        }
        let room = NAMES_MAX.saturating_sub(self.errors.len());
        self.errors.extend(update.errors.into_iter().take(room).map(cut));
    }

    /// Returns how many steps failed, also those whose names were not kept.
    #[must_use]
    pub fn failed(&self) -> u64 {
        self.failures_total.max(count(&self.failures))
    }

    /// Returns how many steps are left; `None` when the total is not known or too low.
    #[must_use]
    pub fn remaining(&self) -> Option<u64> {
        self.total.checked_sub(self.completed)?.checked_sub(self.failed())
    }

    fn add_failures(&mut self, failures: Vec<String>) {
        let failed = self.failed().saturating_add(count(&failures));
        let room = NAMES_MAX.saturating_sub(self.failures.len());
        self.failures.extend(failures.into_iter().take(room).map(cut));
        self.failures_total = if failed > count(&self.failures) { failed } else { 0 };
    }
}

/// `Passed:  1, Failed:  2, Remaining:  3`; the last part only where it is known.
impl fmt::Display for Progress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Passed:{:3}, Failed:{:3}", self.completed, self.failed())?;
        match self.remaining() {
            Some(remaining) => write!(formatter, ", Remaining:{remaining:3}"),
            None => Ok(()),
        }
    }
}

fn count(names: &[String]) -> u64 {
    u64::try_from(names.len()).unwrap_or(u64::MAX)
}

fn bounded(names: Vec<String>) -> Vec<String> {
    names.into_iter().take(NAMES_MAX).map(cut).collect()
}

fn cut(mut text: String) -> String {
    if text.len() > NAME_BYTES_MAX {
        let mut end = NAME_BYTES_MAX;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
    }
    text
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn update(json: &str) -> Update {
        serde_json::from_str(json).expect("the case is an update")
    }

    #[test]
    fn an_absolute_update_replaces_and_an_appending_one_adds() {
        let mut progress = Progress::new("e2e", "global");
        progress.apply(update(r#"{"msg":"old","total":9,"completed":5,"failures":["x"]}"#), "t1");
        progress
            .apply(update(r#"{"msg":"new","total":5,"completed":2,"failures":["a"],"errors":["e"],"other":1}"#), "t2");
        expect!["Passed:  2, Failed:  1, Remaining:  2"].assert_eq(&progress.to_string());
        progress.apply(update(r#"{"appendcompleted":1,"appendfailing":["b"]}"#), "t3");
        expect!["Passed:  3, Failed:  2, Remaining:  0"].assert_eq(&progress.to_string());
        progress
            .apply(update(r#"{"appendtotals":true,"appendcompleted":2,"appendfailing":["c"],"errors":null}"#), "t4");
        expect![[r#"{"name":"e2e","node":"global","timestamp":"t4","msg":"new","total":8,"completed":5,"errors":["e"],"failures":["a","b","c"]}"#]]
            .assert_eq(&serde_json::to_string(&progress).expect("progress is JSON"));
    }

    #[test]
    fn remaining_is_left_out_when_more_was_done_than_announced() {
        let mut progress = Progress::new("p", "global");
        progress.apply(update(r#"{"completed":1200,"total":-1,"appendcompleted":null}"#), "t");
        expect!["Passed:1200, Failed:  0"].assert_eq(&progress.to_string());
    }

    #[test]
    fn lists_and_texts_are_bounded_and_failures_are_still_counted() {
        let mut progress = Progress::new("p", "global");
        for _ in 0..30 {
            progress.apply(Update { append_failing: vec!["ä".repeat(NAME_BYTES_MAX); 10], ..Update::default() }, "t");
        }
        assert_eq!((progress.failures.len(), progress.failed()), (NAMES_MAX, 300));
        assert!(progress.failures.iter().all(|name| name.len() == NAME_BYTES_MAX));
    }
}
