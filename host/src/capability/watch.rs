//! Watches.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use futures::stream::BoxStream;
use porthole_core::budget::ListMeter;
use porthole_core::grant::Verb;
use porthole_core::projection::Projection;
use porthole_core::resource::ResourceType;

use super::Gate;
use super::audit::Call;
use super::error::CapabilityError;
use super::read::{Selection, cut_object, describe, describe_selection, length};
use crate::cluster::{ClusterError, WatchEvent};

/// What happened to an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// It came into being or into the selection.
    Added,
    /// It changed.
    Modified,
    /// It is gone or out of the selection.
    Deleted,
}

/// A watch that a guest holds; dropping it ends the watch and frees its place in the budget.
pub struct Watcher {
    what: String,
    projection: Projection,
    meter: ListMeter,
    events: BoxStream<'static, Result<WatchEvent, ClusterError>>,
    _place: Place,
}

/// A place among the watches that a plugin may hold.
struct Place(Arc<Gate>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.meter().close_watch();
    }
}

impl Gate {
    /// Begins a watch.
    ///
    /// # Errors
    ///
    /// See [`CapabilityError`].
    pub async fn watch(
        self: &Arc<Self>,
        resource_type: &ResourceType,
        selection: Selection,
    ) -> Result<Watcher, CapabilityError> {
        let call = Call::begin(self, "kubernetes", "watch", describe_selection(resource_type, &selection));
        let begun = async {
            // A watch begins with what is there, so it shows all that a list shows.
            self.begin_list(Verb::List, resource_type, selection.clone()).await?;
            let cursor = self.begin_list(Verb::Watch, resource_type, selection).await?;
            self.meter().open_watch()?;
            let place = Place(Arc::clone(self));
            self.pace().await;
            let (resource_type, query, projection, meter) = cursor.into_parts();
            let what = describe(&resource_type, query.namespace.as_deref(), "");
            let events = self.cluster.watch(&resource_type, &query).await?;
            Ok(Watcher { what, projection, meter, events, _place: place })
        };
        call.finish(begun.await, |_| (0, 0))
    }

    /// Waits for the next change; `None` when `timeout` passes without one.
    ///
    /// # Errors
    ///
    /// See [`CapabilityError`].
    pub async fn next_event(
        &self,
        watcher: &mut Watcher,
        timeout: Duration,
    ) -> Result<Option<(ChangeKind, Bytes)>, CapabilityError> {
        let call = Call::begin(self, "kubernetes", "watcher.next", watcher.what.clone());
        let waited = async {
            let Ok(event) = tokio::time::timeout(timeout, watcher.events.next()).await else { return Ok(None) };
            let (kind, object) = match event {
                None => return Ok(None),
                Some(Err(error)) => return Err(error.into()),
                Some(Ok(WatchEvent::Added(object))) => (ChangeKind::Added, object),
                Some(Ok(WatchEvent::Modified(object))) => (ChangeKind::Modified, object),
                Some(Ok(WatchEvent::Deleted(object))) => (ChangeKind::Deleted, object),
            };
            let object = cut_object(&watcher.projection, object.json())?;
            watcher.meter.object(length(object.len()))?;
            Ok(Some((kind, object)))
        };
        call.finish(waited.await, |event| event.as_ref().map_or((0, 0), |(_, object)| (1, object.len())))
    }
}
