//! Watching a snapshot: what is there, then what writes change.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use futures::stream::{self, BoxStream};
use porthole_core::resource::ResourceType;
use tokio::sync::watch;

use super::listing;
use super::lock;
use super::store::{Objects, Store};
use crate::cluster::{ClusterError, ListQuery, Matching, Result, WatchEvent};

/// One watch. It compares states instead of queueing changes, so a watcher that does not read costs
/// nothing and misses only states that were over before it looked.
struct Watching {
    store: Arc<Mutex<Store>>,
    changed: watch::Receiver<u64>,
    resource_type: ResourceType,
    namespace: Option<String>,
    matching: Matching,
    seen: Arc<Objects>,
    events: VecDeque<WatchEvent>,
}

/// Begins a watch.
pub(super) fn watch(
    store: &Arc<Mutex<Store>>,
    asked: &ResourceType,
    query: &ListQuery,
) -> Result<BoxStream<'static, Result<WatchEvent>>> {
    let matching = Matching::parse(asked, query)?;
    let guard = lock(store);
    let (resource_type, collection) = guard.resolve(asked)?;
    listing::check_namespace(resource_type, collection.scope, query)?;
    let mut watching = Watching {
        store: Arc::clone(store),
        changed: guard.subscribe(),
        resource_type: resource_type.clone(),
        namespace: query.namespace.clone(),
        matching,
        seen: Arc::new(Objects::new()),
        events: VecDeque::new(),
    };
    let objects = Arc::clone(&collection.objects);
    drop(guard);
    watching.compare(objects);
    Ok(Box::pin(stream::unfold(watching, |mut watching| async {
        let event = watching.next().await;
        Some((event, watching))
    })))
}

impl Watching {
    async fn next(&mut self) -> Result<WatchEvent> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(event);
            }
            if self.changed.changed().await.is_err() {
                // Not reached while `store` is held, which owns the sender.
                return Err(ClusterError::Unavailable("the snapshot was closed".to_owned()));
            }
            let objects =
                lock(&self.store).resolve(&self.resource_type).map(|(_, found)| Arc::clone(&found.objects))?;
            self.compare(objects);
        }
    }

    /// Queues the difference between what was seen and `objects`, in the order of lists.
    fn compare(&mut self, objects: Arc<Objects>) {
        if Arc::ptr_eq(&self.seen, &objects) {
            return;
        }
        let namespace = self.namespace.as_deref();
        let key = |object: &crate::cluster::Object| {
            let (namespace, name) = object.key();
            (namespace.to_owned(), name.to_owned())
        };
        for last in listing::select(&self.seen, namespace, None, &self.matching) {
            if !objects.get(&key(last)).is_some_and(|now| self.matching.chooses(now)) {
                self.events.push_back(WatchEvent::Deleted(last.clone()));
            }
        }
        for now in listing::select(&objects, namespace, None, &self.matching) {
            match self.seen.get(&key(now)).filter(|last| self.matching.chooses(last)) {
                None => self.events.push_back(WatchEvent::Added(now.clone())),
                Some(last) if last != now => self.events.push_back(WatchEvent::Modified(now.clone())),
                Some(_) => {}
            }
        }
        self.seen = objects;
    }
}
