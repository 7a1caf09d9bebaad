//! The cluster, live or a snapshot, through the window that the operator granted.
//!
//! Objects come as any type that serde can read: take a small struct of the fields that the plugin looks
//! at, and name the same fields in [`List::keep`], so that the rest is cut off before it is copied.

use std::io;
use std::marker::PhantomData;
use std::time::Duration;

use serde::de::DeserializeOwned;

use crate::host;

mod error;
mod list;
mod write;

pub use error::{Denial, Error, Status};
pub use list::{List, Objects, Page, Pages, list};
pub use write::{DeleteOptions, Outcome, PatchType, Propagation, apply, create, delete, evict, patch};

/// A kind of object: group, version and plural name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Resource {
    pub(crate) group: String,
    pub(crate) version: String,
    pub(crate) name: String,
}

impl Resource {
    /// Returns a kind of the core group in the server's preferred version: `Resource::core("pods")`.
    pub fn core(name: impl Into<String>) -> Self {
        Self::new("", name)
    }

    /// Returns a kind in the server's preferred version: `Resource::new("apps", "deployments")`.
    pub fn new(group: impl Into<String>, name: impl Into<String>) -> Self {
        Self { group: group.into(), version: String::new(), name: name.into() }
    }

    /// Returns the same kind in this version.
    #[must_use]
    pub fn in_version(mut self, version: impl Into<String>) -> Self {
        self.version = version.into();
        self
    }

    /// Returns the API group; empty for the core group.
    #[must_use]
    pub fn group(&self) -> &str {
        &self.group
    }

    /// Returns the version; empty for the preferred one.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Returns the plural name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A kind that the cluster serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiResource {
    /// How to name it; its version is never empty.
    pub resource: Resource,
    /// The kind of its objects, such as `Pod`.
    pub kind: String,
    /// Whether its objects live in namespaces.
    pub namespaced: bool,
    /// The verbs that it supports.
    pub verbs: Vec<String>,
    /// Whether its version is the one that the server prefers.
    pub preferred: bool,
}

/// What can be asked of a node's kubelet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeEndpoint {
    /// The kubelet's running configuration.
    Configz,
    /// Whether the kubelet calls itself healthy.
    Healthz,
    /// Its resource statistics.
    StatsSummary,
}

/// A kubelet's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeResponse {
    /// The HTTP status code.
    pub code: u16,
    /// The body.
    pub body: Vec<u8>,
}

/// Which part of an object to copy; empty lists keep all that is granted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Cut {
    pub(crate) keep: Vec<String>,
    pub(crate) omit: Vec<String>,
}

/// What to list or watch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    pub(crate) namespace: Option<String>,
    pub(crate) label_selector: String,
    pub(crate) field_selector: String,
    pub(crate) cut: Cut,
    pub(crate) fresh: bool,
}

/// Reads one object. `namespace` is `None` for cluster-scoped kinds. Needs `get`.
///
/// # Errors
///
/// See [`Error`].
pub fn get<T: DeserializeOwned>(resource: &Resource, namespace: Option<&str>, name: &str) -> Result<T, Error> {
    parse(&get_raw(resource, namespace, name)?)
}

/// Reads one object as JSON text. Needs `get`.
///
/// # Errors
///
/// See [`Error`].
pub fn get_raw(resource: &Resource, namespace: Option<&str>, name: &str) -> Result<Vec<u8>, Error> {
    host::get(resource, namespace, name, &Cut::default())
}

/// Lists the kinds that the cluster serves, sorted by group, version and name. Needs no grant.
///
/// # Errors
///
/// See [`Error`].
pub fn api_resources() -> Result<Vec<ApiResource>, Error> {
    host::api_resources()
}

/// Returns the server's `version.Info` as JSON text. Needs no grant.
///
/// # Errors
///
/// See [`Error`].
pub fn server_version() -> Result<Vec<u8>, Error> {
    host::server_version()
}

/// Returns the server's `APIGroupList` as JSON text. Needs no grant.
///
/// # Errors
///
/// See [`Error`].
pub fn server_groups() -> Result<Vec<u8>, Error> {
    host::server_groups()
}

/// Asks a node's kubelet. Needs `get` on `nodes/proxy`.
///
/// # Errors
///
/// See [`Error`]. An HTTP error of the kubelet itself is not an error.
pub fn node(name: &str, endpoint: NodeEndpoint) -> Result<NodeResponse, Error> {
    host::node(name, endpoint)
}

/// Begins to choose a container's log. Needs `get` on `pods/log`.
#[must_use]
pub fn pod_log(namespace: impl Into<String>, pod: impl Into<String>) -> PodLog {
    PodLog { namespace: namespace.into(), pod: pod.into(), selection: LogSelection::default() }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct LogSelection {
    pub(crate) container: Option<String>,
    pub(crate) previous: bool,
    pub(crate) since_seconds: Option<u64>,
    pub(crate) tail_lines: Option<u64>,
    pub(crate) limit_bytes: Option<u64>,
    pub(crate) timestamps: bool,
}

/// Which log to read; the options are those of `kubectl logs`.
#[derive(Debug, Clone)]
pub struct PodLog {
    namespace: String,
    pod: String,
    selection: LogSelection,
}

impl PodLog {
    /// Of this container; otherwise of the only one.
    #[must_use]
    pub fn container(mut self, container: impl Into<String>) -> Self {
        self.selection.container = Some(container.into());
        self
    }

    /// Of the container's previous instance.
    #[must_use]
    pub fn previous(mut self) -> Self {
        self.selection.previous = true;
        self
    }

    /// Only the lines of the last so many seconds.
    #[must_use]
    pub fn since_seconds(mut self, seconds: u64) -> Self {
        self.selection.since_seconds = Some(seconds);
        self
    }

    /// Only so many lines from the end.
    #[must_use]
    pub fn tail_lines(mut self, lines: u64) -> Self {
        self.selection.tail_lines = Some(lines);
        self
    }

    /// At most so many bytes.
    #[must_use]
    pub fn limit_bytes(mut self, bytes: u64) -> Self {
        self.selection.limit_bytes = Some(bytes);
        self
    }

    /// Each line with its time in front.
    #[must_use]
    pub fn timestamps(mut self) -> Self {
        self.selection.timestamps = true;
        self
    }

    /// Opens the log.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    pub fn open(self) -> Result<LogReader, Error> {
        let stream = host::pod_log(&self.namespace, &self.pod, &self.selection)?;
        Ok(LogReader { stream, rest: Vec::new(), read: 0 })
    }
}

/// A log that is being read.
#[derive(Debug)]
pub struct LogReader {
    stream: host::LogStream,
    rest: Vec<u8>,
    read: usize,
}

/// Bytes of a log that are asked for at a time.
const LOG_PIECE: u32 = 64 << 10;

impl io::Read for LogReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.rest.len() {
            self.rest = self.stream.read(LOG_PIECE).map_err(io::Error::other)?;
            self.read = 0;
        }
        let length = buffer.len().min(self.rest.len() - self.read);
        buffer[..length].copy_from_slice(&self.rest[self.read..self.read + length]);
        self.read += length;
        Ok(length)
    }
}

/// What happened to an object that is watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event<T> {
    /// It came into being, or was there at the start.
    Added(T),
    /// It changed.
    Modified(T),
    /// It is gone; this was its last state.
    Deleted(T),
}

/// A watch. Dropping it ends it.
#[derive(Debug)]
pub struct Watch<T> {
    watcher: host::Watcher,
    object: PhantomData<fn() -> T>,
}

impl<T> Watch<T> {
    pub(crate) fn new(watcher: host::Watcher) -> Self {
        Self { watcher, object: PhantomData }
    }
}

impl<T: DeserializeOwned> Watch<T> {
    /// Waits for the next change; `None` when `timeout` passes without one.
    ///
    /// # Errors
    ///
    /// See [`Error`].
    pub fn next(&mut self, timeout: Duration) -> Result<Option<Event<T>>, Error> {
        let timeout = u32::try_from(timeout.as_millis()).unwrap_or(u32::MAX);
        let Some((change, object)) = self.watcher.next(timeout)? else { return Ok(None) };
        let object = parse(&object)?;
        Ok(Some(match change {
            Change::Added => Event::Added(object),
            Change::Modified => Event::Modified(object),
            Change::Deleted => Event::Deleted(object),
        }))
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(not(target_family = "wasm"), expect(dead_code, reason = "the cluster of tests never changes"))]
pub(crate) enum Change {
    Added,
    Modified,
    Deleted,
}

pub(crate) fn parse<T: DeserializeOwned>(json: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(json).map_err(|error| Error::Malformed(error.to_string()))
}
