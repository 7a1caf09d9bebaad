//! `porthole:plugin/kubernetes`: reads.

use std::sync::Arc;
use std::time::Duration;

use porthole_bindings::porthole::plugin::kubernetes::{
    ApiResource, Change, Cursor, Error, Event, Host, HostCursor, HostLogStream, HostWatcher, LogSelection, LogStream,
    NodeEndpoint, NodeResponse, Page, Projection, ResourceType, Selection, Watcher,
};
use wasmtime::component::Resource;

use super::guest::Guest;
use super::kubernetes_types::{read_resource_type, write_error, write_resource_type};
use crate::capability::{self, ChangeKind, LogQuery, NodeEndpoint as Endpoint};

/// Bytes that one read of a log returns at most.
const LOG_PIECE: usize = 1 << 20;

impl Host for Guest {
    async fn get(
        &mut self,
        resource_type: ResourceType,
        namespace: Option<String>,
        name: String,
        projection: Projection,
    ) -> wasmtime::Result<Result<Vec<u8>, Error>> {
        self.host_call("kubernetes", "get")?;
        let gate = Arc::clone(self.gate());
        let resource_type = read_resource_type(resource_type);
        let got = gate.get(&resource_type, namespace, name, read_cut(projection)).await;
        Ok(got.map(|object| object.to_vec()).map_err(write_error))
    }

    async fn list(
        &mut self,
        resource_type: ResourceType,
        selection: Selection,
    ) -> wasmtime::Result<Result<Resource<Cursor>, Error>> {
        self.host_call("kubernetes", "list")?;
        let gate = Arc::clone(self.gate());
        match gate.list(&read_resource_type(resource_type), read_selection(selection)).await {
            Ok(cursor) => self.own(cursor).map(Ok),
            Err(error) => Ok(Err(write_error(error))),
        }
    }

    async fn watch(
        &mut self,
        resource_type: ResourceType,
        selection: Selection,
    ) -> wasmtime::Result<Result<Resource<Watcher>, Error>> {
        self.host_call("kubernetes", "watch")?;
        let gate = Arc::clone(self.gate());
        match gate.watch(&read_resource_type(resource_type), read_selection(selection)).await {
            Ok(watcher) => self.own(watcher).map(Ok),
            Err(error) => Ok(Err(write_error(error))),
        }
    }

    async fn pod_log(
        &mut self,
        namespace: String,
        pod: String,
        selection: LogSelection,
    ) -> wasmtime::Result<Result<Resource<LogStream>, Error>> {
        self.host_call("kubernetes", "pod-log")?;
        let gate = Arc::clone(self.gate());
        let query = LogQuery {
            container: selection.container,
            previous: selection.previous,
            since_seconds: selection.since_seconds,
            tail_lines: selection.tail_lines,
            limit_bytes: selection.limit_bytes,
            timestamps: selection.timestamps,
        };
        match gate.pod_log(&namespace, &pod, query).await {
            Ok(stream) => self.own(stream).map(Ok),
            Err(error) => Ok(Err(write_error(error))),
        }
    }

    async fn node(&mut self, name: String, endpoint: NodeEndpoint) -> wasmtime::Result<Result<NodeResponse, Error>> {
        self.host_call("kubernetes", "node")?;
        let endpoint = match endpoint {
            NodeEndpoint::Configz => Endpoint::Configz,
            NodeEndpoint::Healthz => Endpoint::Healthz,
            NodeEndpoint::StatsSummary => Endpoint::StatsSummary,
        };
        let gate = Arc::clone(self.gate());
        let answer = gate.node(&name, endpoint).await;
        Ok(answer.map(|answer| NodeResponse { code: answer.code, body: answer.body.to_vec() }).map_err(write_error))
    }

    async fn api_resources(&mut self) -> wasmtime::Result<Result<Vec<ApiResource>, Error>> {
        self.host_call("kubernetes", "api-resources")?;
        let gate = Arc::clone(self.gate());
        let resources = gate.api_resources().await.map_err(write_error);
        Ok(resources.map(|resources| {
            resources
                .iter()
                .map(|resource| ApiResource {
                    resource_type: write_resource_type(&resource.resource_type),
                    kind: resource.kind.clone(),
                    namespaced: resource.namespaced,
                    verbs: resource.verbs.clone(),
                    preferred: resource.preferred,
                })
                .collect()
        }))
    }

    async fn server_version(&mut self) -> wasmtime::Result<Result<Vec<u8>, Error>> {
        self.host_call("kubernetes", "server-version")?;
        let gate = Arc::clone(self.gate());
        Ok(gate.version().await.map(|version| version.to_vec()).map_err(write_error))
    }

    async fn server_groups(&mut self) -> wasmtime::Result<Result<Vec<u8>, Error>> {
        self.host_call("kubernetes", "server-groups")?;
        let gate = Arc::clone(self.gate());
        Ok(gate.groups().await.map(|groups| groups.to_vec()).map_err(write_error))
    }
}

impl HostCursor for Guest {
    async fn next(&mut self, cursor: Resource<Cursor>) -> wasmtime::Result<Result<Option<Page>, Error>> {
        self.host_call("kubernetes", "cursor.next")?;
        let gate = Arc::clone(self.gate());
        let cursor = self.lent::<capability::Cursor, _>(&cursor)?;
        let page = gate.next_page(cursor).await.map_err(write_error);
        Ok(page.map(|page| page.map(|page| Page { items: page.items, remaining: page.remaining })))
    }

    async fn drop(&mut self, cursor: Resource<Cursor>) -> wasmtime::Result<()> {
        self.dispose::<capability::Cursor, _>(&cursor)
    }
}

impl HostWatcher for Guest {
    async fn next(
        &mut self,
        watcher: Resource<Watcher>,
        timeout_milliseconds: u32,
    ) -> wasmtime::Result<Result<Option<Event>, Error>> {
        self.host_call("kubernetes", "watcher.next")?;
        let gate = Arc::clone(self.gate());
        let watcher = self.lent::<capability::Watcher, _>(&watcher)?;
        let timeout = Duration::from_millis(timeout_milliseconds.into());
        let event = gate.next_event(watcher, timeout).await.map_err(write_error);
        Ok(event.map(|event| {
            event.map(|(kind, object)| Event {
                change: match kind {
                    ChangeKind::Added => Change::Added,
                    ChangeKind::Modified => Change::Modified,
                    ChangeKind::Deleted => Change::Deleted,
                },
                object: object.to_vec(),
            })
        }))
    }

    async fn drop(&mut self, watcher: Resource<Watcher>) -> wasmtime::Result<()> {
        self.dispose::<capability::Watcher, _>(&watcher)
    }
}

impl HostLogStream for Guest {
    async fn read(&mut self, stream: Resource<LogStream>, max: u32) -> wasmtime::Result<Result<Vec<u8>, Error>> {
        self.host_call("kubernetes", "log-stream.read")?;
        let gate = Arc::clone(self.gate());
        let stream = self.lent::<capability::LogStream, _>(&stream)?;
        let max = usize::try_from(max).unwrap_or(LOG_PIECE).clamp(1, LOG_PIECE);
        Ok(gate.read_log(stream, max).await.map(|piece| piece.to_vec()).map_err(write_error))
    }

    async fn drop(&mut self, stream: Resource<LogStream>) -> wasmtime::Result<()> {
        self.dispose::<capability::LogStream, _>(&stream)
    }
}

fn read_cut(projection: Projection) -> capability::Cut {
    capability::Cut { fields: projection.fields, omit: projection.omit }
}

fn read_selection(selection: Selection) -> capability::Selection {
    capability::Selection {
        namespace: selection.namespace,
        label_selector: selection.label_selector,
        field_selector: selection.field_selector,
        cut: read_cut(selection.projection),
        fresh: selection.fresh,
    }
}
