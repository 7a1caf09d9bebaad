//! A cluster as a source of facts: one trait, answered alike by a live API server and by a snapshot.
//!
//! Objects travel as JSON text ([`Object`]), because the host mostly stores, cuts and forwards them;
//! whoever needs a value parses it. Nothing here knows of plugins or grants.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use porthole_core::resource::{ApiResource, ResourceType};

pub mod archive;
#[doc(hidden)]
pub mod behaviour;
mod error;
pub mod live;
mod matching;
mod object;
pub mod snapshot;

pub use error::{ClusterError, Status};
pub use matching::Matching;
pub use object::Object;

/// Result of a question to a cluster.
pub type Result<T> = std::result::Result<T, ClusterError>;

/// How to list or watch objects of one kind.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct ListQuery {
    /// One namespace, or `None` for all of them (and for cluster-scoped kinds).
    pub namespace: Option<String>,
    /// A label selector in kubectl's form; empty for all.
    pub label_selector: String,
    /// A field selector in kubectl's form; empty for all.
    pub field_selector: String,
    /// At most so many objects per page; `None` lets the cluster choose.
    pub limit: Option<u32>,
    /// Where the page before this one ended, as [`Page::continue_token`] said.
    pub continue_token: Option<String>,
}

/// One page of a list.
#[derive(Debug, Clone)]
pub struct Page {
    /// The objects in the order of the API server: by namespace, then by name.
    pub items: Vec<Object>,
    /// How to ask for the next page; `None` at the end.
    pub continue_token: Option<String>,
    /// How many objects there are after this page, where the server says so.
    pub remaining: Option<u64>,
    /// The state of the cluster that the list shows.
    pub resource_version: String,
}

/// What a watch says.
#[derive(Debug, Clone)]
pub enum WatchEvent {
    /// An object came into being or into the selection; also what is there at the start.
    Added(Object),
    /// An object changed.
    Modified(Object),
    /// An object is gone or out of the selection; this was its last state.
    Deleted(Object),
}

/// Which part of a container's log to read; the fields are those of `kubectl logs`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LogQuery {
    /// The container; `None` for the only one.
    pub container: Option<String>,
    /// The log of the container's previous instance.
    pub previous: bool,
    /// Only lines of the last so many seconds.
    pub since_seconds: Option<u64>,
    /// Only so many lines from the end.
    pub tail_lines: Option<u64>,
    /// At most so many bytes.
    pub limit_bytes: Option<u64>,
    /// Each line with its time in front.
    pub timestamps: bool,
}

/// What can be asked of a node's kubelet through the API server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum NodeEndpoint {
    /// `/configz`: the kubelet's running configuration.
    Configz,
    /// `/healthz`: whether the kubelet calls itself healthy.
    Healthz,
    /// `/stats/summary`: resource statistics.
    StatsSummary,
}

impl NodeEndpoint {
    /// Returns the path below the node's proxy, without a leading slash.
    #[must_use]
    pub fn path(self) -> &'static str {
        match self {
            Self::Configz => "configz",
            Self::Healthz => "healthz",
            Self::StatsSummary => "stats/summary",
        }
    }
}

/// A kubelet's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeResponse {
    /// The HTTP status code.
    pub code: u16,
    /// The body, at most 16 MiB.
    pub body: Bytes,
}

/// One object by kind, namespace and name.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Target {
    /// Its kind.
    pub resource_type: ResourceType,
    /// Its namespace; `None` for cluster-scoped kinds.
    pub namespace: Option<String>,
    /// Its name.
    pub name: String,
}

/// How a patch is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PatchType {
    /// RFC 7386.
    Merge,
    /// Kubernetes' strategic merge.
    Strategic,
    /// RFC 6902.
    Json,
}

/// What happens to the objects that a deleted object owns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Propagation {
    /// They are deleted afterwards.
    Background,
    /// They are deleted first.
    Foreground,
    /// They stay.
    Orphan,
}

/// How to delete an object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeleteQuery {
    /// Seconds of grace; `None` for the object's own.
    pub grace_period_seconds: Option<u32>,
    /// What happens to owned objects.
    pub propagation: Propagation,
    /// Only if the object still has this uid.
    pub uid: Option<String>,
}

/// A change to a cluster.
#[derive(Debug, Clone)]
pub enum Write {
    /// Creates an object; its name and namespace are in it.
    Create {
        /// The kind.
        resource_type: ResourceType,
        /// The whole object.
        object: Object,
    },
    /// Server-side apply.
    Apply {
        /// The kind.
        resource_type: ResourceType,
        /// The fields that the manager wants.
        object: Object,
        /// Who manages them.
        field_manager: String,
        /// Whether to take over fields that others manage.
        force: bool,
    },
    /// Patches an object.
    Patch {
        /// The object that is meant.
        target: Target,
        /// How `patch` is written.
        patch_type: PatchType,
        /// The patch, as JSON text.
        patch: Bytes,
        /// Who patches.
        field_manager: String,
    },
    /// Deletes an object.
    Delete {
        /// The object that is meant.
        target: Target,
        /// How to delete it.
        query: DeleteQuery,
    },
    /// Evicts a pod, which respects `PodDisruptionBudget`s.
    Evict {
        /// The pod's namespace.
        namespace: String,
        /// The pod's name.
        pod: String,
    },
}

/// Whether a write is made, or checked by the server and not kept (`dryRun=All`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WriteMode {
    /// It is made.
    Commit,
    /// It is checked and forgotten.
    DryRun,
}

/// A cluster: a live API server, a snapshot, or a view on one of them.
///
/// All methods may be called concurrently. Every answer is bounded in time by the implementation.
#[async_trait]
pub trait Cluster: Send + Sync {
    /// Returns one line for people: the context's name and server, or the snapshot's path.
    fn describe(&self) -> String;

    /// Returns the server's `version.Info` as JSON text.
    async fn version(&self) -> Result<Bytes>;

    /// Returns the server's `APIGroupList` as JSON text.
    async fn groups(&self) -> Result<Bytes>;

    /// Lists the kinds that are served, sorted by group, version and name. Cached by the implementation.
    async fn api_resources(&self) -> Result<Arc<[ApiResource]>>;

    /// Returns whether [`Cluster::get`] would answer for `target` without asking an API server, so that it
    /// costs nobody else anything.
    fn answers_locally(&self, _target: &Target) -> bool {
        false
    }

    /// Reads one object.
    ///
    /// # Errors
    ///
    /// [`ClusterError::NotFound`] when there is none, [`ClusterError::NotServed`] for an unknown kind.
    async fn get(&self, target: &Target) -> Result<Object>;

    /// Reads one page of a list.
    ///
    /// # Errors
    ///
    /// [`ClusterError::Expired`] when the continue token is too old, [`ClusterError::NotServed`] for an
    /// unknown kind. A kind without objects is not an error.
    async fn list(&self, resource_type: &ResourceType, query: &ListQuery) -> Result<Page>;

    /// Watches objects, beginning with an [`WatchEvent::Added`] for each that is there.
    ///
    /// The stream recovers by itself from lost connections and from 410 Gone, by listing again and
    /// saying the difference. A snapshot's stream waits for ever after what it had to say, and says
    /// what writes to it change. It ends only with an error.
    async fn watch(
        &self,
        resource_type: &ResourceType,
        query: &ListQuery,
    ) -> Result<BoxStream<'static, Result<WatchEvent>>>;

    /// Reads a container's log as pieces of bytes.
    async fn pod_log(&self, namespace: &str, pod: &str, query: &LogQuery) -> Result<BoxStream<'static, Result<Bytes>>>;

    /// Asks a node's kubelet. An answer with an HTTP error of the kubelet itself is not an error.
    async fn node(&self, name: &str, endpoint: NodeEndpoint) -> Result<NodeResponse>;

    /// Makes a change and returns the object as it is afterwards; `None` after a delete or an eviction.
    async fn write(&self, write: Write, mode: WriteMode) -> Result<Option<Object>>;
}
