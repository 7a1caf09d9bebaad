//! A snapshot as a [`Cluster`].

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::{self, BoxStream};
use porthole_core::resource::{ApiResource, ResourceType};

use super::layout::Instance;
use super::logs::{self, Missing};
use super::{Snapshot, listing, lock, overlay, watching};
use crate::cluster::{
    Cluster, ClusterError, ListQuery, LogQuery, NodeEndpoint, NodeResponse, Object, Page, Result, Target, WatchEvent,
    Write, WriteMode,
};

/// Size of a piece of a log, in bytes.
const LOG_PIECE_BYTES: usize = 64 << 10;

#[async_trait]
impl Cluster for Snapshot {
    fn describe(&self) -> String {
        format!("snapshot {}", self.path.display())
    }

    async fn version(&self) -> Result<Bytes> {
        self.server_version()
    }

    async fn groups(&self) -> Result<Bytes> {
        Ok(self.server_groups())
    }

    async fn api_resources(&self) -> Result<Arc<[ApiResource]>> {
        Ok(lock(&self.store).api_resources().into())
    }

    async fn get(&self, target: &Target) -> Result<Object> {
        let store = lock(&self.store);
        let (resource_type, _) = store.resolve(&target.resource_type)?;
        let namespace = target.namespace.as_deref().unwrap_or_default();
        let object = store.object(resource_type, namespace, &target.name);
        object.cloned().ok_or_else(|| overlay::not_found(resource_type, namespace, &target.name))
    }

    async fn list(&self, resource_type: &ResourceType, query: &ListQuery) -> Result<Page> {
        listing::list(&mut lock(&self.store), self.instance, resource_type, query)
    }

    async fn watch(
        &self,
        resource_type: &ResourceType,
        query: &ListQuery,
    ) -> Result<BoxStream<'static, Result<WatchEvent>>> {
        watching::watch(&self.store, resource_type, query)
    }

    async fn pod_log(&self, namespace: &str, pod: &str, query: &LogQuery) -> Result<BoxStream<'static, Result<Bytes>>> {
        let instance = if query.previous { Instance::Previous } else { Instance::Current };
        let log = match self.logs.open(namespace, pod, query.container.as_deref(), instance) {
            Ok(log) => log,
            Err(missing) => return Err(self.no_log(namespace, pod, &missing)),
        };
        let log = logs::cut(log, query).map_err(|error| match error {
            logs::CutError::NoTimes => ClusterError::Unsupported(error.to_string()),
            logs::CutError::Read(_) => ClusterError::Storage(error.to_string()),
        })?;
        Ok(Box::pin(stream::try_unfold((log, 0), |(log, offset)| async move {
            let piece = log.read(offset, LOG_PIECE_BYTES).map_err(|error| ClusterError::Storage(error.to_string()))?;
            let next = offset + piece.len() as u64;
            Ok((!piece.is_empty()).then(|| (Bytes::from(piece), (log, next))))
        })))
    }

    async fn node(&self, name: &str, endpoint: NodeEndpoint) -> Result<NodeResponse> {
        self.kubelet(name, endpoint)
    }

    async fn write(&self, write: Write, mode: WriteMode) -> Result<Option<Object>> {
        overlay::write(&mut lock(&self.store), write, mode)
    }
}

impl Snapshot {
    fn no_log(&self, namespace: &str, pod: &str, missing: &Missing) -> ClusterError {
        let pods = ResourceType::new("", "v1", "pods");
        let is_known = lock(&self.store).object(&pods, namespace, pod).is_some();
        match missing {
            Missing::Ambiguous(containers) => ClusterError::Invalid(format!(
                "a container name must be specified for pod `{pod}`, choose one of: {}",
                containers.join(", ")
            )),
            Missing::NotRecorded(containers) if containers.is_empty() && !is_known => {
                overlay::not_found(&pods, namespace, pod)
            }
            Missing::NotRecorded(containers) if containers.is_empty() => ClusterError::Unsupported(format!(
                "the snapshot records no such log of pod `{pod}` in namespace `{namespace}`"
            )),
            Missing::NotRecorded(containers) => ClusterError::Unsupported(format!(
                "the snapshot records no such log of pod `{pod}` in namespace `{namespace}` (recorded containers: {})",
                containers.join(", ")
            )),
        }
    }
}
