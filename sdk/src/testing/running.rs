//! The plugin that runs on this thread, and what it has reported.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde_json::Value;

use super::cluster::Store;
use crate::Context;
use crate::kubernetes::{Error, Outcome, Resource};
use crate::results::Item;

/// What the in-memory server says of itself.
pub(crate) const VERSION: &str = r#"{"major":"1","minor":"36","gitVersion":"v1.36.0"}"#;
/// The groups that it names.
pub(crate) const GROUPS: &str = r#"{"kind":"APIGroupList","apiVersion":"v1","groups":[]}"#;

thread_local! {
    static RUNNING: RefCell<Option<Running>> = const { RefCell::new(None) };
}

#[derive(Debug)]
pub(crate) struct Running {
    pub(crate) cluster: Store,
    pub(crate) config: Value,
    pub(crate) context: Context,
    pub(crate) items: Vec<Item>,
    pub(crate) files: BTreeMap<String, Vec<u8>>,
    pub(crate) log: Vec<String>,
    pub(crate) progress: Vec<String>,
    pub(crate) writes: Vec<String>,
}

impl Running {
    pub(super) fn new(cluster: Store, config: Value, context: Context) -> Self {
        Self {
            cluster,
            config,
            context,
            items: Vec::new(),
            files: BTreeMap::new(),
            log: Vec::new(),
            progress: Vec::new(),
            writes: Vec::new(),
        }
    }

    /// Records a write; the cluster in memory does not change.
    pub(crate) fn write(&mut self, verb: &str, resource: &Resource, text: &[u8]) -> Result<Outcome, Error> {
        self.cluster.check(verb, resource, resource.name())?;
        let text = String::from_utf8_lossy(text);
        self.writes.push(format!("{verb} {} {text}", resource.name()));
        Ok(Outcome { object: text.into_owned().into_bytes(), dry_run: self.context.dry_run })
    }
}

/// Runs `plugin` on this thread as a guest of `running`.
pub(super) fn enter<T>(running: Running, plugin: impl FnOnce() -> T) -> (T, Running) {
    RUNNING.with_borrow_mut(|current| *current = Some(running));
    let result = plugin();
    let running = RUNNING.with_borrow_mut(Option::take).expect("set four lines above, and only taken here");
    (result, running)
}

/// Does something with the plugin that runs on this thread.
///
/// # Panics
///
/// Panics outside of [`testing`](crate::testing): there is no host to ask.
pub(crate) fn with<T>(work: impl FnOnce(&mut Running) -> T) -> T {
    RUNNING.with_borrow_mut(|running| {
        let running = running.as_mut();
        work(running.expect("outside of a component, a plugin runs through `porthole_sdk::testing::Cluster::run`"))
    })
}
