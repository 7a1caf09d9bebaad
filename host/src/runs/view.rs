//! The one state of the cluster that all plugins of a run see.
//!
//! A kind is listed once per run, whoever asks and however often, and the answer is shared; so the
//! findings of two plugins never contradict each other because a pod came or went between them, and
//! the API server is asked once. Lists live in a [`Spill`], not in memory.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use futures::stream::BoxStream;
use porthole_core::resource::{ApiResource, ResourceType};
use tokio::sync::OnceCell;

use super::spill::{Kept, Spill};
use crate::cluster::{
    Cluster, ClusterError, ListQuery, LogQuery, Matching, NodeEndpoint, NodeResponse, Object, Page, Result, Target,
    WatchEvent, Write, WriteMode,
};

/// Objects in one page that the view asks of the cluster; the number that kubectl uses.
const PAGE: u32 = 500;
/// Times that a list is begun anew when the server forgot where it was.
const RESTARTS: u32 = 3;
/// Single objects that are remembered. A plugin that asks for names it invents would fill the memory.
const SINGLE_OBJECTS: usize = 10_000;

/// Says of a kind whether some plugin of the run may list it in all namespaces.
pub type Whole = Box<dyn Fn(&ResourceType) -> bool + Send + Sync>;

/// Which list: a kind in one namespace, or (`None`) in all of them.
type ListKey = (ResourceType, Option<String>);

/// A cluster as it was when each thing was first asked for. Writes, watches and logs go through.
pub struct SharedView {
    cluster: Arc<dyn Cluster>,
    whole: Whole,
    spill: Spill,
    lists: Mutex<HashMap<ListKey, Arc<OnceCell<Shared>>>>,
    singles: Mutex<HashMap<Target, Arc<OnceCell<Result<Object>>>>>,
    version: OnceCell<Bytes>,
    groups: OnceCell<Bytes>,
}

/// A finished list, or why there is none: a refusal is the same for every plugin of the run.
type Shared = std::result::Result<Arc<List>, ClusterError>;

struct List {
    objects: Vec<Entry>,
    by_key: HashMap<(Option<String>, String), usize>,
    resource_version: String,
}

struct Entry {
    identity: Object,
    kept: Kept,
}

impl SharedView {
    /// Returns a view on `cluster` that spills into `folder`.
    ///
    /// `whole` names the kinds that some plugin of the run may list in all namespaces: these are fetched
    /// whole even when a namespace is asked for first.
    #[must_use]
    pub fn new(cluster: Arc<dyn Cluster>, folder: std::path::PathBuf, whole: Whole) -> Self {
        Self {
            cluster,
            whole,
            spill: Spill::new(folder),
            lists: Mutex::default(),
            singles: Mutex::default(),
            version: OnceCell::new(),
            groups: OnceCell::new(),
        }
    }

    /// Returns the list that answers for a kind in a namespace, fetching it if nobody has.
    async fn shared(&self, resource_type: &ResourceType, namespace: Option<&str>) -> Result<Arc<List>> {
        let everywhere = (resource_type.clone(), None);
        let (cell, key) = {
            let mut lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
            let whole = namespace.is_none() || lists.contains_key(&everywhere) || (self.whole)(resource_type);
            let key = if whole { everywhere } else { (resource_type.clone(), namespace.map(str::to_owned)) };
            (Arc::clone(lists.entry(key.clone()).or_default()), key)
        };
        let fetch = || async {
            match self.fetch(&key).await {
                // A cluster that is away may be back for the next plugin.
                Err(error @ ClusterError::Unavailable(_)) => Err(error),
                other => Ok(other.map(Arc::new)),
            }
        };
        cell.get_or_try_init(fetch).await?.clone()
    }

    async fn fetch(&self, (resource_type, namespace): &ListKey) -> Result<List> {
        for _ in 0..RESTARTS {
            match self.fetch_pages(resource_type, namespace.as_deref()).await {
                Err(ClusterError::Expired) => {}
                other => return other,
            }
        }
        Err(ClusterError::Expired)
    }

    async fn fetch_pages(&self, resource_type: &ResourceType, namespace: Option<&str>) -> Result<List> {
        let mut query =
            ListQuery { namespace: namespace.map(str::to_owned), limit: Some(PAGE), ..ListQuery::default() };
        let mut list = List { objects: Vec::new(), by_key: HashMap::new(), resource_version: String::new() };
        loop {
            let page = self.cluster.list(resource_type, &query).await?;
            for object in page.items {
                let kept = self.spill.keep(object.json().clone()).map_err(|error| storage(&error))?;
                let key = (object.namespace().map(str::to_owned), object.name().to_owned());
                list.by_key.insert(key, list.objects.len());
                list.objects.push(Entry { identity: object.without_text(), kept });
            }
            list.resource_version = page.resource_version;
            query.continue_token = page.continue_token;
            if query.continue_token.is_none() {
                return Ok(list);
            }
        }
    }

    /// Returns a finished list that would hold `target`, if there is one.
    fn finished(&self, target: &Target) -> Option<Shared> {
        let lists = self.lists.lock().unwrap_or_else(PoisonError::into_inner);
        [None, target.namespace.clone()]
            .into_iter()
            .find_map(|namespace| lists.get(&(target.resource_type.clone(), namespace))?.get().cloned())
    }
}

impl Entry {
    fn object(&self) -> Result<Object> {
        let text = self.kept.read().map_err(|error| storage(&error))?;
        Ok(self.identity.with_text(text))
    }
}

fn storage(error: &std::io::Error) -> ClusterError {
    ClusterError::Storage(error.to_string())
}

#[async_trait]
impl Cluster for SharedView {
    fn describe(&self) -> String {
        self.cluster.describe()
    }

    async fn version(&self) -> Result<Bytes> {
        self.version.get_or_try_init(|| self.cluster.version()).await.cloned()
    }

    async fn groups(&self) -> Result<Bytes> {
        self.groups.get_or_try_init(|| self.cluster.groups()).await.cloned()
    }

    async fn api_resources(&self) -> Result<Arc<[ApiResource]>> {
        self.cluster.api_resources().await
    }

    fn answers_locally(&self, target: &Target) -> bool {
        let known = || self.singles.lock().unwrap_or_else(PoisonError::into_inner).contains_key(target);
        self.cluster.answers_locally(target) || self.finished(target).is_some() || known()
    }

    async fn get(&self, target: &Target) -> Result<Object> {
        if let Some(Ok(list)) = self.finished(target) {
            let key = (target.namespace.clone(), target.name.clone());
            return match list.by_key.get(&key) {
                Some(index) => list.objects[*index].object(),
                None => Err(ClusterError::NotFound {
                    resource: target.resource_type.clone(),
                    namespace: target.namespace.clone(),
                    name: target.name.clone(),
                }),
            };
        }
        let cell = {
            let mut singles = self.singles.lock().unwrap_or_else(PoisonError::into_inner);
            if singles.len() >= SINGLE_OBJECTS && !singles.contains_key(target) {
                None
            } else {
                Some(Arc::clone(singles.entry(target.clone()).or_default()))
            }
        };
        let Some(cell) = cell else { return self.cluster.get(target).await };
        let fetch = || async {
            match self.cluster.get(target).await {
                Err(error @ ClusterError::Unavailable(_)) => Err(error),
                other => Ok(other),
            }
        };
        cell.get_or_try_init(fetch).await?.clone()
    }

    async fn list(&self, resource_type: &ResourceType, query: &ListQuery) -> Result<Page> {
        let matching = Matching::parse(resource_type, query)?;
        let begin = query.continue_token.as_deref().map_or(Ok(0), str::parse::<usize>);
        let begin = begin.map_err(|_| ClusterError::Expired)?;
        let list = self.shared(resource_type, query.namespace.as_deref()).await?;
        let limit = query.limit.and_then(|limit| usize::try_from(limit).ok()).unwrap_or(usize::MAX);
        let (mut items, mut next) = (Vec::new(), begin);
        for entry in list.objects.iter().skip(begin) {
            if items.len() == limit {
                break;
            }
            next += 1;
            let elsewhere = query.namespace.is_some() && entry.identity.namespace() != query.namespace.as_deref();
            if elsewhere || !matching.chooses_labels(&entry.identity) {
                continue;
            }
            let object = entry.object()?;
            if matching.chooses_fields(&object) {
                items.push(object);
            }
        }
        let left = list.objects.len().saturating_sub(next);
        let filtered = query.namespace.is_some() || !matching.is_everything();
        Ok(Page {
            items,
            continue_token: (left > 0).then(|| next.to_string()),
            // How many of the rest match is only known where all do.
            remaining: (!filtered || left == 0).then(|| u64::try_from(left).unwrap_or(u64::MAX)),
            resource_version: list.resource_version.clone(),
        })
    }

    async fn watch(
        &self,
        resource_type: &ResourceType,
        query: &ListQuery,
    ) -> Result<BoxStream<'static, Result<WatchEvent>>> {
        self.cluster.watch(resource_type, query).await
    }

    async fn pod_log(&self, namespace: &str, pod: &str, query: &LogQuery) -> Result<BoxStream<'static, Result<Bytes>>> {
        self.cluster.pod_log(namespace, pod, query).await
    }

    async fn node(&self, name: &str, endpoint: NodeEndpoint) -> Result<NodeResponse> {
        self.cluster.node(name, endpoint).await
    }

    async fn write(&self, write: Write, mode: WriteMode) -> Result<Option<Object>> {
        self.cluster.write(write, mode).await
    }
}
