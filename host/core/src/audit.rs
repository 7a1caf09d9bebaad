//! What plugins did to the cluster: one record per call of a host function, and their sum.

mod summary;

use serde::{Deserialize, Serialize};

pub use summary::{AuditSummary, DeniedAccess, MAX_DENIALS, PluginSummary};

/// Longest text in a record, in bytes; the rest is cut. Without it, a guest fills the disk with names that it makes up.
pub const MAX_TEXT_BYTES: usize = 1024;

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It was granted and answered.
    Allowed,
    /// It was not granted; the cluster was not asked.
    Denied,
    /// It was granted, and the cluster gave no answer.
    Failed,
    /// A bound was used up; the cluster was not asked.
    Budget,
}

/// One call of a host function.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditRecord {
    /// Its number within the run, from 1 and without gaps, so that a lost record is noticed.
    pub sequence: u64,
    /// When it began, in milliseconds since the run's start.
    pub offset: u64,
    /// The plugin's name.
    pub plugin: String,
    /// The node, or `global`.
    pub target: String,
    /// The WIT interface, such as `kubernetes`.
    pub interface: String,
    /// The function, such as `list`.
    pub call: String,
    /// What was accessed, such as `apps/v1/deployments -n shop`; empty where nothing is.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub access: String,
    /// How it ended.
    pub verdict: Verdict,
    /// Why, where it was not allowed or failed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub error: String,
    /// What would lift a refusal.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub remedy: String,
    /// Objects handed to the guest.
    pub objects: u64,
    /// Bytes handed to the guest.
    pub bytes: u64,
    /// How long it took, in microseconds.
    pub micros: u64,
}

impl AuditRecord {
    /// Returns the record as one line of JSON with its line end. Texts are cut to [`MAX_TEXT_BYTES`].
    ///
    /// # Errors
    ///
    /// Never for a record as such; it is the serializer that is fallible.
    pub fn to_line(&self) -> Result<String, serde_json::Error> {
        let mut record = self.clone();
        for text in [&mut record.target, &mut record.access, &mut record.error, &mut record.remedy] {
            cut(text);
        }
        serde_json::to_string(&record).map(|line| line + "\n")
    }
}

fn cut(text: &mut String) {
    if text.len() > MAX_TEXT_BYTES {
        text.truncate(text.floor_char_boundary(MAX_TEXT_BYTES));
        text.push('…');
    }
}

#[cfg(test)]
mod tests;
