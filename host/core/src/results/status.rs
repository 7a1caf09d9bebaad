//! The verdict of an item.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The verdict of an item, written as Sonobuoy writes it.
///
/// The five words are compared with their case: `Passed` is a status of the plugin's own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Status {
    /// Looked at, and in order.
    Passed,
    /// Looked at, and not in order.
    Failed,
    /// Not looked at, on purpose.
    Skipped,
    /// Not finished in time; counts as failed.
    Timeout,
    /// Could not be decided. An absent or empty status means this.
    #[default]
    Unknown,
    /// A status of the plugin's own, or the summary `a: 1, b: 2` of several.
    Custom(String),
}

impl Status {
    /// Returns the word; never empty.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
            Self::Timeout => "timeout",
            Self::Unknown => "unknown",
            Self::Custom(word) => word,
        }
    }

    /// Returns whether this is a failure: failed or timed out.
    #[must_use]
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::Failed | Self::Timeout)
    }

    /// Returns whether this is a status of the plugin's own.
    #[must_use]
    pub fn is_custom(&self) -> bool {
        matches!(self, Self::Custom(_))
    }
}

impl From<&str> for Status {
    fn from(word: &str) -> Self {
        match word {
            "passed" => Self::Passed,
            "failed" => Self::Failed,
            "skipped" => Self::Skipped,
            "timeout" => Self::Timeout,
            "unknown" | "" => Self::Unknown,
            other => Self::Custom(other.to_owned()),
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl Serialize for Status {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Status {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = Option::<String>::deserialize(deserializer)?;
        Ok(Self::from(word.as_deref().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_in_another_case_is_the_plugins_own_and_an_empty_one_is_unknown() {
        assert_eq!(Status::from("Passed"), Status::Custom("Passed".into()));
        assert_eq!(Status::from(""), Status::Unknown);
        assert_eq!(Status::from("timeout").to_string(), "timeout");
    }
}
