//! The status of a run, as `status --json` and the status annotation of the aggregator show it.
//!
//! Keys and words are Sonobuoy's; `error` of an entry is Porthole's addition.

use serde::{Deserialize, Serialize};

use crate::progress::Progress;
use crate::results::{Counts, Status};

mod table;

pub use table::{Layout, table};

/// The target of a plugin that runs once per cluster.
pub const GLOBAL: &str = "global";

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunPhase {
    /// At least one plugin has not given all its results.
    #[default]
    Running,
    /// Every plugin is done; results are being summed up and packed.
    PostProcessing,
    /// The tarball is there.
    Complete,
    /// The run could not be brought to its end. Sonobuoy knows the word and never says it.
    Failed,
}

/// How far a plugin has come on one target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TargetPhase {
    /// Its result has not arrived.
    #[default]
    Running,
    /// Its result has arrived.
    Complete,
    /// An error has arrived in place of its result.
    Failed,
}

impl TargetPhase {
    /// Returns the word of the status JSON.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Complete => "complete",
            Self::Failed => "failed",
        }
    }
}

/// One plugin on one target.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct TargetStatus {
    /// The plugin's name.
    pub plugin: String,
    /// The node, or [`GLOBAL`].
    pub node: String,
    /// How far it has come.
    pub status: TargetPhase,
    /// Its verdict; empty until post-processing.
    #[serde(default, with = "verdict")]
    pub result_status: Option<Status>,
    /// Its leaves by status; `null` until post-processing.
    #[serde(default)]
    pub result_counts: Option<Counts>,
    /// Its newest progress, if it reports any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub progress: Option<Progress>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The tarball of a run. All empty until it is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TarInfo {
    /// Its file name, without folder.
    #[serde(default)]
    pub name: String,
    /// When it was complete, in RFC 3339.
    #[serde(default = "zero_time")]
    pub created: String,
    /// SHA-256 in hexadecimal digits.
    #[serde(default)]
    pub sha256: String,
    /// Its size in bytes.
    #[serde(default)]
    pub size: u64,
}

impl Default for TarInfo {
    fn default() -> Self {
        Self { name: String::new(), created: zero_time(), sha256: String::new(), size: 0 }
    }
}

/// The time that Go writes when there is none.
fn zero_time() -> String {
    "0001-01-01T00:00:00Z".to_owned()
}

/// The status of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct RunStatus {
    /// One entry per plugin and target; `null` while no plugin was started.
    #[serde(with = "entries")]
    pub plugins: Vec<TargetStatus>,
    /// How far the run has come.
    pub status: RunPhase,
    /// The tarball.
    #[serde(default)]
    pub tar_info: TarInfo,
}

impl RunStatus {
    /// Moves from running to post-processing when no plugin is running any more.
    ///
    /// A failed plugin is done too; Sonobuoy would stay at running.
    pub fn settle(&mut self) {
        let done = self.plugins.iter().all(|target| target.status != TargetPhase::Running);
        if self.status == RunPhase::Running && done && !self.plugins.is_empty() {
            self.status = RunPhase::PostProcessing;
        }
    }
}

/// Writes no verdict as an empty string.
mod verdict {
    use serde::{Deserialize, Deserializer, Serializer};

    use crate::results::Status;

    pub(super) fn serialize<S: Serializer>(status: &Option<Status>, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(status.as_ref().map_or("", Status::as_str))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Status>, D::Error> {
        let word = Option::<String>::deserialize(deserializer)?.unwrap_or_default();
        Ok(if word.is_empty() { None } else { Some(Status::from(word.as_str())) })
    }
}

/// Writes an empty list as `null`.
mod entries {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::TargetStatus;

    pub(super) fn serialize<S: Serializer>(entries: &[TargetStatus], serializer: S) -> Result<S::Ok, S::Error> {
        if entries.is_empty() { serializer.serialize_none() } else { entries.serialize(serializer) }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<TargetStatus>, D::Error> {
        Ok(Option::<Vec<TargetStatus>>::deserialize(deserializer)?.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn the_first_status_has_sonobuoys_bytes() {
        expect![[r#"{"plugins":null,"status":"running","tar-info":{"name":"","created":"0001-01-01T00:00:00Z","sha256":"","size":0}}"#]]
            .assert_eq(&serde_json::to_string(&RunStatus::default()).expect("a status is JSON"));
    }

    #[test]
    fn an_entry_has_sonobuoys_keys_and_the_reason_of_a_failure() {
        let mut status = RunStatus::default();
        status.plugins.push(TargetStatus { plugin: "p".into(), node: GLOBAL.into(), ..TargetStatus::default() });
        status.plugins.push(TargetStatus {
            plugin: "q".into(),
            node: "n1".into(),
            status: TargetPhase::Failed,
            result_status: Some(Status::Failed),
            result_counts: Some(Counts::of(&crate::results::Item::new("x", Status::Failed))),
            progress: None,
            error: Some("trapped".into()),
        });
        let text = serde_json::to_string(&status.plugins).expect("a status is JSON");
        expect![[r#"[{"plugin":"p","node":"global","status":"running","result-status":"","result-counts":null},{"plugin":"q","node":"n1","status":"failed","result-status":"failed","result-counts":{"failed":1},"error":"trapped"}]"#]]
            .assert_eq(&text);
        let read: Vec<TargetStatus> = serde_json::from_str(&text).expect("a status is read back");
        assert_eq!(read, status.plugins);
    }

    #[test]
    fn a_run_with_a_failed_plugin_still_goes_on_to_post_processing() {
        let mut status = RunStatus::default();
        status.settle();
        assert_eq!(status.status, RunPhase::Running);
        status.plugins.push(TargetStatus { status: TargetPhase::Failed, ..TargetStatus::default() });
        status.settle();
        assert_eq!(status.status, RunPhase::PostProcessing);
    }
}
