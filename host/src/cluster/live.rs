//! A live API server as a [`Cluster`], through raw requests: objects stay the text that the server sent.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use porthole_core::resource::{ApiResource, ResourceType};
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::{
    Cluster, ClusterError, ListQuery, LogQuery, NodeEndpoint, NodeResponse, Object, Page, Result, Target, WatchEvent,
    Write, WriteMode,
};

mod backoff;
mod connect;
mod discovery;
mod failure;
mod known;
pub mod limit;
mod page;
mod path;
mod read;
mod stream;
mod transport;
mod watch;
mod write;

pub use connect::{ConnectError, LiveOptions};

use transport::{Question, Transport};

/// A connection to an API server.
///
/// At most [`LiveOptions::concurrent_requests`] requests run at the same time; what passes (429, 5xx, a lost
/// connection) is tried again for up to [`limit::TOTAL_TIME`]; each answer is bounded in time and size.
pub struct Live {
    transport: Transport,
    page_objects: u32,
    discovered: Mutex<Option<(Instant, Arc<[ApiResource]>)>>,
}

impl Live {
    /// Finds the cluster and asks for its version, so that a wrong address or an expired token is said now.
    ///
    /// Must be called within a tokio runtime. One request; within a second or two when nobody listens.
    ///
    /// # Errors
    ///
    /// Fails when nothing is configured, when the configuration cannot be used, when the server cannot be
    /// reached, and when it does not accept the credentials. What they allow is not checked.
    pub async fn connect(options: LiveOptions) -> std::result::Result<Self, ConnectError> {
        let connection = connect::connect(&options).await?;
        let transport =
            Transport::new(connection.client, &connection.name, &connection.url, options.concurrent_requests);
        let live = Self { transport, page_objects: options.page_objects, discovered: Mutex::new(None) };
        let first = Question { attempts: limit::FIRST_ATTEMPTS, ..Question::get("/version".to_owned()) };
        live.transport.ask(&first).await?;
        Ok(live)
    }

    /// Fills in the version that the server prefers.
    async fn resolved(&self, resource_type: &ResourceType) -> Result<ResourceType> {
        if !resource_type.version.is_empty() {
            return Ok(resource_type.clone());
        }
        let kinds = self.api_resources().await?;
        let same = |kind: &&ApiResource| {
            kind.preferred
                && kind.resource_type.group == resource_type.group
                && kind.resource_type.resource == resource_type.resource
        };
        let found = kinds.iter().find(same).map(|kind| kind.resource_type.clone());
        found.ok_or_else(|| ClusterError::NotServed(resource_type.clone()))
    }

    async fn text(&self, path: &str) -> Result<Bytes> {
        Ok(self.transport.ask(&Question::get(path.to_owned())).await?.body)
    }
}

#[async_trait]
impl Cluster for Live {
    fn describe(&self) -> String {
        self.transport.name().to_owned()
    }

    async fn version(&self) -> Result<Bytes> {
        self.text("/version").await
    }

    async fn groups(&self) -> Result<Bytes> {
        self.text("/apis").await
    }

    async fn api_resources(&self) -> Result<Arc<[ApiResource]>> {
        // The lock is held while asking, so that a hundred plugins that begin together ask once.
        let mut discovered = self.discovered.lock().await;
        if let Some((when, kinds)) = &*discovered
            && when.elapsed() < limit::DISCOVERY_AGE
        {
            return Ok(Arc::clone(kinds));
        }
        let kinds: Arc<[ApiResource]> = discovery::discover(&self.transport).await?.into();
        *discovered = Some((Instant::now(), Arc::clone(&kinds)));
        Ok(kinds)
    }

    async fn get(&self, target: &Target) -> Result<Object> {
        let resource_type = self.resolved(&target.resource_type).await?;
        read::get(&self.transport, &Target { resource_type, ..target.clone() }).await
    }

    async fn list(&self, resource_type: &ResourceType, query: &ListQuery) -> Result<Page> {
        let resource_type = self.resolved(resource_type).await?;
        read::list(&self.transport, &resource_type, query, self.page_objects).await
    }

    async fn watch(
        &self,
        resource_type: &ResourceType,
        query: &ListQuery,
    ) -> Result<BoxStream<'static, Result<WatchEvent>>> {
        let resource_type = self.resolved(resource_type).await?;
        watch::watch(self.transport.clone(), resource_type, query.clone(), self.page_objects).await
    }

    async fn pod_log(&self, namespace: &str, pod: &str, query: &LogQuery) -> Result<BoxStream<'static, Result<Bytes>>> {
        read::pod_log(&self.transport, namespace, pod, query).await
    }

    async fn node(&self, name: &str, endpoint: NodeEndpoint) -> Result<NodeResponse> {
        read::node(&self.transport, name, endpoint).await
    }

    async fn write(&self, mut write: Write, mode: WriteMode) -> Result<Option<Object>> {
        if let Some(resource_type) = write.resource_type_mut() {
            *resource_type = self.resolved(resource_type).await?;
        }
        write::write(&self.transport, write, mode).await
    }
}
