//! How results are shown: as text for people, as one JSON document for programs.
//!
//! Text comes as lines of spans that say what a piece *is*; the terminal decides on colours. Everything
//! is readable without them. Texts of plugins are freed of control characters before they get here, so
//! that no plugin can drive the operator's terminal.

pub mod finding;
pub mod findings_table;
pub mod health;
pub mod log_scan;
pub mod plugin_text;
pub mod run_report;
pub mod summary;
mod wrap;

pub use finding::{Finding, PluginError, Severity};
pub use health::ClusterHealth;
pub use log_scan::LogScan;
pub use run_report::{PluginReport, RefusedAccess, RunReport};

/// What a piece of text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Nothing special.
    Plain,
    /// A heading of a column or a section.
    Heading,
    /// Something is in order.
    Good,
    /// Something is not in order, and matters much.
    Bad,
    /// Something is not in order, or could not be decided.
    Warning,
    /// Of little interest.
    Muted,
}

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Span {
    /// The text; holds no line break and no control character.
    pub text: String,
    /// What it is.
    pub role: Role,
}

impl Span {
    /// Returns a span.
    #[must_use]
    pub fn new(text: impl Into<String>, role: Role) -> Self {
        Self { text: text.into(), role }
    }
}

/// A line, without its line break.
pub type Line = Vec<Span>;

/// Returns the lines as text without colours, each with its line break and without trailing blanks.
#[must_use]
pub fn plain(lines: &[Line]) -> String {
    let mut text = String::new();
    for line in lines {
        let start = text.len();
        for span in line {
            text.push_str(&span.text);
        }
        text.truncate(start + text[start..].trim_end().len());
        text.push('\n');
    }
    text
}
