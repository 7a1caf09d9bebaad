//! Unit tests of plugins, natively: a cluster in memory, and what the plugin reported on it.
//!
//! ```
//! use porthole_sdk::testing::Cluster;
//! # use porthole_sdk::{Context, Failure, Producer, kubernetes, results};
//! # struct CountPods;
//! # impl Producer for CountPods {
//! #     fn produce(_: &Context) -> Result<(), Failure> {
//! #         let pods = kubernetes::Resource::core("pods");
//! #         let number = kubernetes::list(&pods).objects::<serde_json::Value>().count();
//! #         results::report([results::Item::passed(["pods"]).detail("number", number)])?;
//! #         Ok(())
//! #     }
//! # }
//! let run = Cluster::from_yaml("{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}}").run::<CountPods>();
//! assert_eq!(run.items[0].details["number"], 1);
//! ```

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::kubernetes::NodeEndpoint;
use crate::{Context, Failure, Producer};

mod cluster;
mod kinds;
mod matching;
pub(crate) mod running;

use running::Running;

/// A cluster in memory, and the terms under which a plugin runs on it.
#[derive(Debug, Clone)]
pub struct Cluster {
    store: cluster::Store,
    config: Value,
    context: Context,
}

/// What a plugin did.
#[derive(Debug)]
pub struct Run {
    /// How it ended.
    pub result: Result<(), Failure>,
    /// The items that it reported, in order.
    pub items: Vec<ReportedItem>,
    /// The files that it wrote; those among the cluster's data begin with `/`.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The lines that it logged, each as `level: message`.
    pub log: Vec<String>,
    /// The progress that it reported, a line each.
    pub progress: Vec<String>,
    /// The writes that it made, a line each: verb, kind, and the JSON text.
    pub writes: Vec<String>,
}

/// An item that a plugin reported.
#[derive(Debug, Clone, PartialEq)]
pub struct ReportedItem {
    /// Names from the outermost group to the item.
    pub path: Vec<String>,
    /// `passed`, `failed`, `skipped`, `unknown` or the plugin's own word.
    pub status: String,
    /// What supports the verdict.
    pub details: Map<String, Value>,
}

impl Cluster {
    /// Returns a cluster of the objects in a text: YAML or JSON, several documents, `List` kinds too.
    ///
    /// # Panics
    ///
    /// Panics on a text that is not valid: this is for tests.
    #[must_use]
    pub fn from_yaml(text: &str) -> Self {
        let context = Context {
            run_id: "00000000-0000-4000-8000-000000000000".to_owned(),
            node_name: None,
            time_left: Duration::from_secs(300),
            attempt: 1,
            idempotency_key: "test".to_owned(),
            dry_run: false,
        };
        Self { store: cluster::Store::from_yaml(text), config: Value::Object(Map::new()), context }
    }

    /// Gives the plugin these settings; defaults of a schema are not filled in here.
    #[must_use]
    pub fn config(mut self, config: Value) -> Self {
        self.config = config;
        self
    }

    /// Runs the plugin as on this node.
    #[must_use]
    pub fn node_name(mut self, name: &str) -> Self {
        self.context.node_name = Some(name.to_owned());
        self
    }

    /// Denies a verb on a kind (with its subresource, if one is meant).
    #[must_use]
    pub fn deny(mut self, verb: &str, group: &str, resource: &str) -> Self {
        self.store.deny(verb, group, resource);
        self
    }

    /// Gives a container a log.
    #[must_use]
    pub fn logs(mut self, namespace: &str, pod: &str, container: &str, text: &str) -> Self {
        self.store.add_log(namespace, pod, container, text);
        self
    }

    /// Makes a node's kubelet answer.
    #[must_use]
    pub fn node_answer(mut self, node: &str, endpoint: NodeEndpoint, code: u16, body: &str) -> Self {
        self.store.add_answer(node, endpoint, code, body);
        self
    }

    /// Runs a plugin and returns what it did.
    #[must_use]
    pub fn run<P: Producer>(self) -> Run {
        let context = self.context.clone();
        let running = Running::new(self.store, self.config, self.context);
        let (result, running) = running::enter(running, || P::produce(&context));
        Run {
            result,
            items: running.items.into_iter().map(reported).collect(),
            files: running.files,
            log: running.log,
            progress: running.progress,
            writes: running.writes,
        }
    }
}

fn reported(item: crate::results::Item) -> ReportedItem {
    use crate::results::Status;
    let status = match item.status {
        Status::Passed => "passed".to_owned(),
        Status::Failed => "failed".to_owned(),
        Status::Skipped => "skipped".to_owned(),
        Status::Unknown => "unknown".to_owned(),
        Status::Custom(word) => word,
    };
    ReportedItem { path: item.path, status, details: item.details }
}

impl Run {
    /// Returns the items as lines for an expectation: status, path, severity and message.
    #[must_use]
    pub fn lines(&self) -> String {
        let line = |item: &ReportedItem| {
            let detail = |key: &str| item.details.get(key).and_then(Value::as_str).map(|text| format!(" {text}"));
            let severity = detail("severity").unwrap_or_default();
            let message = detail("message").map(|message| format!(":{message}")).unwrap_or_default();
            format!("{} {}{severity}{message}\n", item.status, item.path.join(" | "))
        };
        self.items.iter().map(line).collect()
    }
}
