//! Logs of containers, and what kubelets say.

use bytes::Bytes;
use futures::StreamExt;
use futures::stream::BoxStream;
use porthole_core::budget::ListMeter;
use porthole_core::grant::Verb;
use porthole_core::resource::ResourceType;

use super::audit::Call;
use super::error::CapabilityError;
use super::read::{describe, length};
use super::{Gate, LogQuery, NodeEndpoint, NodeResponse};
use crate::cluster::ClusterError;

/// A log that a guest reads piece by piece.
pub struct LogStream {
    what: String,
    pieces: BoxStream<'static, Result<Bytes, ClusterError>>,
    rest: Bytes,
    meter: ListMeter,
}

impl Gate {
    /// Begins to read a container's log.
    ///
    /// # Errors
    ///
    /// See [`CapabilityError`].
    pub async fn pod_log(&self, namespace: &str, pod: &str, query: LogQuery) -> Result<LogStream, CapabilityError> {
        let pods = ResourceType::new("", "v1", "pods");
        let container = query.container.as_deref().map(|name| format!(" -c {name}")).unwrap_or_default();
        let what = format!("{}{container}", describe(&pods, Some(namespace), pod));
        let call = Call::begin(self, "kubernetes", "pod-log", what.clone());
        let begun = async {
            self.resolve(Verb::Get, &pods, Some("log"), Some(namespace), Some(pod)).await?;
            self.pace().await;
            let pieces = self.cluster.pod_log(namespace, pod, &query).await?;
            Ok(LogStream { what, pieces, rest: Bytes::new(), meter: self.meter().list() })
        };
        call.finish(begun.await, |_| (0, 0))
    }

    /// Returns at most `max` bytes of a log; empty at its end.
    ///
    /// # Errors
    ///
    /// See [`CapabilityError`].
    pub async fn read_log(&self, stream: &mut LogStream, max: usize) -> Result<Bytes, CapabilityError> {
        let call = Call::begin(self, "kubernetes", "log-stream.read", stream.what.clone());
        let read = async {
            while stream.rest.is_empty() {
                match stream.pieces.next().await {
                    None => return Ok(Bytes::new()),
                    Some(piece) => stream.rest = piece?,
                }
            }
            let piece = stream.rest.split_to(max.min(stream.rest.len()));
            stream.meter.object(length(piece.len()))?;
            Ok(piece)
        };
        call.finish(read.await, |piece| (0, piece.len()))
    }

    /// Asks a node's kubelet.
    ///
    /// # Errors
    ///
    /// See [`CapabilityError`].
    pub async fn node(&self, name: &str, endpoint: NodeEndpoint) -> Result<NodeResponse, CapabilityError> {
        let nodes = ResourceType::new("", "v1", "nodes");
        let what = format!("{} {}", describe(&nodes, None, name), endpoint.path());
        let call = Call::begin(self, "kubernetes", "node", what);
        let asked = async {
            self.resolve(Verb::Get, &nodes, Some("proxy"), None, Some(name)).await?;
            self.pace().await;
            let answer = self.cluster.node(name, endpoint).await?;
            self.meter().list().object(length(answer.body.len()))?;
            Ok(answer)
        };
        call.finish(asked.await, |answer| (1, answer.body.len()))
    }
}
