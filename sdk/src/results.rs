//! What the plugin found: typed items, and files.

use std::io;

use serde_json::{Map, Value};

use crate::host;

/// Why the host did not take a result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The path cannot be one.
    #[error("{0}")]
    InvalidPath(String),
    /// A file of this path exists already.
    #[error("the file `{0}` exists already")]
    Exists(String),
    /// A bound of the plugin would be passed.
    #[error("the bound `{name}` of {value} is used up")]
    LimitExceeded {
        /// Its name, as in `spec.limits` of the manifest.
        name: String,
        /// Its value.
        value: u64,
    },
    /// The details are not a JSON object.
    #[error("the details are not valid: {0}")]
    InvalidDetails(String),
    /// Not granted; with what would allow it.
    #[error("{0}")]
    Denied(String),
    /// The host could not keep it.
    #[error("the host could not keep it: {0}")]
    Storage(String),
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know.
    Info,
    /// Worth a look some day.
    Low,
    /// Should be mended.
    Medium,
    /// Should be mended soon.
    High,
    /// Must be mended now.
    Critical,
}

impl Severity {
    /// Returns the word in reports.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Info => "info",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Critical => "critical",
        }
    }
}

/// The verdict of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
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

/// One thing that was looked at. Made by [`Item::passed`] and its siblings, completed by its other methods.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    pub(crate) path: Vec<String>,
    pub(crate) status: Status,
    pub(crate) details: Map<String, Value>,
}

impl Item {
    /// Looked at, and in order. `path` goes from the outermost group to the item itself.
    pub fn passed<S: Into<String>>(path: impl IntoIterator<Item = S>) -> Self {
        Self::new(path, Status::Passed)
    }

    /// Looked at, and not in order.
    pub fn failed<S: Into<String>>(path: impl IntoIterator<Item = S>) -> Self {
        Self::new(path, Status::Failed)
    }

    /// Not looked at, on purpose.
    pub fn skipped<S: Into<String>>(path: impl IntoIterator<Item = S>) -> Self {
        Self::new(path, Status::Skipped)
    }

    /// Could not be decided, for instance because a fact is missing. Never counts as passed.
    pub fn unknown<S: Into<String>>(path: impl IntoIterator<Item = S>) -> Self {
        Self::new(path, Status::Unknown)
    }

    /// A status of the plugin's own.
    pub fn custom<S: Into<String>>(path: impl IntoIterator<Item = S>, status: impl Into<String>) -> Self {
        Self::new(path, Status::Custom(status.into()))
    }

    fn new<S: Into<String>>(path: impl IntoIterator<Item = S>, status: Status) -> Self {
        Self { path: path.into_iter().map(Into::into).collect(), status, details: Map::new() }
    }

    /// How much it matters.
    #[must_use]
    pub fn severity(self, severity: Severity) -> Self {
        self.detail("severity", severity.as_str())
    }

    /// What was found, in one sentence.
    #[must_use]
    pub fn message(self, message: impl Into<String>) -> Self {
        self.detail("message", message.into())
    }

    /// What to do about it, in one sentence.
    #[must_use]
    pub fn remedy(self, remedy: impl Into<String>) -> Self {
        self.detail("remedy", remedy.into())
    }

    /// The name of the check that found it.
    #[must_use]
    pub fn check(self, check: impl Into<String>) -> Self {
        self.detail("check", check.into())
    }

    /// The object that it is about: `Kind namespace/name`, or `Kind name`.
    #[must_use]
    pub fn object(self, kind: &str, namespace: Option<&str>, name: &str) -> Self {
        let object = match namespace {
            Some(namespace) => format!("{kind} {namespace}/{name}"),
            None => format!("{kind} {name}"),
        };
        self.detail("object", object)
    }

    /// Anything else that supports the verdict.
    #[must_use]
    pub fn detail(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.details.insert(key.into(), value.into());
        self
    }
}

/// Reports items, in order.
///
/// # Errors
///
/// Fails when the host does not take them; none is taken then.
pub fn report(items: impl IntoIterator<Item = Item>) -> Result<(), Error> {
    let items: Vec<_> = items.into_iter().collect();
    if items.is_empty() { Ok(()) } else { host::report(items) }
}

/// Reports many items with few calls to the host.
#[derive(Debug, Default)]
pub struct Reporter {
    waiting: Vec<Item>,
}

/// Items that a [`Reporter`] holds back.
const BATCH: usize = 256;

impl Reporter {
    /// Returns a reporter that holds nothing back yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an item; it is on its way at the latest at [`Reporter::finish`].
    ///
    /// # Errors
    ///
    /// As [`report`].
    pub fn push(&mut self, item: Item) -> Result<(), Error> {
        self.waiting.push(item);
        if self.waiting.len() >= BATCH { self.flush() } else { Ok(()) }
    }

    /// Sends what was held back.
    ///
    /// # Errors
    ///
    /// As [`report`].
    pub fn finish(mut self) -> Result<(), Error> {
        self.flush()
    }

    fn flush(&mut self) -> Result<(), Error> {
        report(std::mem::take(&mut self.waiting))
    }
}

/// Where a file goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placement {
    Plugin,
    Cluster,
}

/// A file that is being written, in pieces of 64 KiB. Dropping it completes it; [`File::finish`] also tells
/// whether the last piece was taken.
#[derive(Debug)]
pub struct File {
    inner: host::File,
    waiting: Vec<u8>,
}

/// Bytes that a [`File`] holds back.
const PIECE: usize = 64 << 10;

/// Makes a file in the plugin's own folder. `media_type` may be empty.
///
/// # Errors
///
/// Fails when the host does not take it.
pub fn create(path: &str, media_type: &str) -> Result<File, Error> {
    Ok(File { inner: host::create_file(Placement::Plugin, path, media_type)?, waiting: Vec::new() })
}

/// Makes a file among the run's cluster data: below `resources/`, `hosts/`, `podlogs/`, or one of
/// `serverversion.json` and `servergroups.json`. Needs the grant `collect`.
///
/// # Errors
///
/// Fails when the host does not take it.
pub fn create_cluster_file(path: &str) -> Result<File, Error> {
    Ok(File { inner: host::create_file(Placement::Cluster, path, "")?, waiting: Vec::new() })
}

impl File {
    /// Completes the file.
    ///
    /// # Errors
    ///
    /// Fails when the host does not take the last piece.
    pub fn finish(mut self) -> io::Result<()> {
        io::Write::flush(&mut self)
    }
}

impl io::Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.waiting.extend_from_slice(bytes);
        if self.waiting.len() >= PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let waiting = std::mem::take(&mut self.waiting);
        self.inner.write(&waiting).map_err(io::Error::other)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // Whoever wants to know calls `finish`.
        let _ = io::Write::flush(self);
    }
}
