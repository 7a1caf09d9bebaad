//! What every implementation of [`Cluster`] does alike, as a check that the tests of each of them call.
//!
//! It writes ConfigMaps into its own namespace `porthole-behaviour`, which it makes when it is missing,
//! and nothing else. A public module only because integration tests are other packages.

use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt;
use futures::stream::BoxStream;
use porthole_core::resource::ResourceType;
use serde_json::{Value, json};

use super::{
    Cluster, ClusterError, DeleteQuery, ListQuery, Object, PatchType, Propagation, Target, WatchEvent, Write, WriteMode,
};

mod reading;
mod writing;

/// The namespace of all that is written.
pub const NAMESPACE: &str = "porthole-behaviour";

/// How long an event or an answer may take.
const PATIENCE: Duration = Duration::from_secs(20);

/// What is broken, in words.
pub type Broken = String;

/// Checks reading, watching, writing and refusing; takes less than a second on a healthy cluster.
///
/// # Errors
///
/// Says which promise was broken first, and how.
pub async fn check(cluster: &dyn Cluster) -> Result<(), Broken> {
    let bench = Bench { cluster };
    bench.prepare().await?;
    reading::check(&bench).await?;
    writing::check(&bench).await?;
    bench.clear().await
}

/// A cluster with short names for the requests that the checks make.
struct Bench<'c> {
    cluster: &'c dyn Cluster,
}

impl Bench<'_> {
    async fn prepare(&self) -> Result<(), Broken> {
        let resource_type = ResourceType::new("", "v1", "namespaces");
        let object = object(&json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": NAMESPACE}}))?;
        match self.cluster.write(Write::Create { resource_type, object }, WriteMode::Commit).await {
            Ok(_) | Err(ClusterError::Conflict(_)) => {}
            Err(error) => return Err(format!("creating the namespace: {error}")),
        }
        self.clear().await?;
        for (name, tier) in [("c", "back"), ("a", "front"), ("b", "front")] {
            self.create(&config_map(name, tier), WriteMode::Commit).await.map_err(said("creating a ConfigMap"))?;
        }
        Ok(())
    }

    async fn clear(&self) -> Result<(), Broken> {
        let page = self.cluster.list(&config_maps(), &ours()).await.map_err(said("listing"))?;
        for item in page.items {
            self.delete(item.name(), None).await.map_err(said("deleting"))?;
        }
        Ok(())
    }

    async fn create(&self, value: &Value, mode: WriteMode) -> Result<Object, ClusterError> {
        let object = object(value).map_err(ClusterError::Invalid)?;
        given(self.cluster.write(Write::Create { resource_type: config_maps(), object }, mode).await)
    }

    async fn apply(&self, data: &Value, manager: &str, force: Force) -> Result<Object, ClusterError> {
        let mut value = config_map("a", "front");
        if let Some(map) = value.as_object_mut() {
            map.insert("data".to_owned(), data.clone());
        }
        let write = Write::Apply {
            resource_type: config_maps(),
            object: object(&value).map_err(ClusterError::Invalid)?,
            field_manager: manager.to_owned(),
            force: force == Force::Yes,
        };
        given(self.cluster.write(write, WriteMode::Commit).await)
    }

    async fn patch(&self, patch_type: PatchType, patch: &Value, mode: WriteMode) -> Result<Object, ClusterError> {
        let write = Write::Patch {
            target: target("b"),
            patch_type,
            patch: Bytes::from(patch.to_string()),
            field_manager: "patcher".to_owned(),
        };
        given(self.cluster.write(write, mode).await)
    }

    async fn delete(&self, name: &str, uid: Option<&str>) -> Result<(), ClusterError> {
        let uid = uid.map(str::to_owned);
        let query = DeleteQuery { grace_period_seconds: None, propagation: Propagation::Background, uid };
        let write = Write::Delete { target: target(name), query };
        self.cluster.write(write, WriteMode::Commit).await.map(|_| ())
    }

    async fn get(&self, name: &str) -> Result<Value, ClusterError> {
        let object = self.cluster.get(&target(name)).await?;
        object.value().map_err(|error| ClusterError::Invalid(error.to_string()))
    }

    async fn names(&self, query: &ListQuery) -> Result<Vec<String>, Broken> {
        let page = self.cluster.list(&config_maps(), query).await.map_err(said("listing"))?;
        Ok(page.items.iter().map(|object| object.name().to_owned()).collect())
    }
}

/// Whether an apply takes over what others own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Force {
    Yes,
    No,
}

fn config_maps() -> ResourceType {
    ResourceType::new("", "v1", "configmaps")
}

fn target(name: &str) -> Target {
    Target { resource_type: config_maps(), namespace: Some(NAMESPACE.to_owned()), name: name.to_owned() }
}

/// A live cluster puts a `ConfigMap` of its own into each namespace, hence the label.
fn ours() -> ListQuery {
    let (namespace, label_selector) = (Some(NAMESPACE.to_owned()), "porthole-behaviour".to_owned());
    ListQuery { namespace, label_selector, ..ListQuery::default() }
}

fn config_map(name: &str, tier: &str) -> Value {
    json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": NAMESPACE, "labels": {"porthole-behaviour": "", "tier": tier}},
        "data": {"made": "first"},
    })
}

fn object(value: &Value) -> Result<Object, Broken> {
    Object::from_value(value).map_err(|error| error.to_string())
}

fn given(answer: super::Result<Option<Object>>) -> Result<Object, ClusterError> {
    answer?.ok_or_else(|| ClusterError::Invalid("the write gave no object back".to_owned()))
}

fn said(doing: &str) -> impl Fn(ClusterError) -> Broken {
    move |error| format!("{doing}: {error}")
}

fn same<T: PartialEq + std::fmt::Debug>(promise: &str, found: &T, wanted: &T) -> Result<(), Broken> {
    if found == wanted { Ok(()) } else { Err(format!("{promise}: found {found:?}, wanted {wanted:?}")) }
}

fn holds(promise: &str, condition: impl FnOnce() -> Option<()>) -> Result<(), Broken> {
    condition().ok_or_else(|| promise.to_owned())
}

/// Waits for the next event and writes it as `added a`.
async fn next_event(events: &mut BoxStream<'static, super::Result<WatchEvent>>) -> Result<String, Broken> {
    let event = tokio::time::timeout(PATIENCE, events.next()).await.map_err(|_| "a watch said nothing".to_owned())?;
    match event {
        Some(Ok(WatchEvent::Added(object))) => Ok(format!("added {}", object.name())),
        Some(Ok(WatchEvent::Modified(object))) => Ok(format!("modified {}", object.name())),
        Some(Ok(WatchEvent::Deleted(object))) => Ok(format!("deleted {}", object.name())),
        Some(Err(error)) => Err(format!("a watch failed: {error}")),
        None => Err("a watch ended".to_owned()),
    }
}
