//! Objects in memory, and the refusals that a test wants.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::{kinds, matching};
use crate::kubernetes::{
    ApiResource, Cut, Denial, Error, LogSelection, NodeEndpoint, NodeResponse, Resource, Selection,
};

/// Everything that a test says of its cluster.
#[derive(Debug, Clone, Default)]
pub(crate) struct Store {
    objects: Vec<(ApiResource, Value)>,
    denied: Vec<(String, String, String)>,
    logs: BTreeMap<(String, String, String), String>,
    answers: Vec<(String, NodeEndpoint, NodeResponse)>,
}

impl Store {
    pub(super) fn from_yaml(text: &str) -> Self {
        let mut store = Self::default();
        for document in serde_yaml::Deserializer::from_str(text) {
            let value = Value::deserialize(document).expect("the test's cluster is valid YAML");
            store.add(value);
        }
        let key = |(_, value): &(ApiResource, Value)| {
            (text_at(value, "/metadata/namespace"), text_at(value, "/metadata/name"))
        };
        store.objects.sort_by_key(key);
        store
    }

    fn add(&mut self, value: Value) {
        if value.is_null() {
            return;
        }
        if let (Some(items), true) = (value["items"].as_array(), text_at(&value, "/kind").ends_with("List")) {
            items.iter().for_each(|item| self.add(item.clone()));
            return;
        }
        let (api_version, kind) = (text_at(&value, "/apiVersion"), text_at(&value, "/kind"));
        assert!(
            !api_version.is_empty() && !kind.is_empty(),
            "an object of the test's cluster lacks apiVersion or kind"
        );
        self.objects.push((kinds::served(&api_version, &kind), value));
    }

    pub(super) fn deny(&mut self, verb: &str, group: &str, resource: &str) {
        self.denied.push((verb.to_owned(), group.to_owned(), resource.to_owned()));
    }

    pub(super) fn add_log(&mut self, namespace: &str, pod: &str, container: &str, text: &str) {
        let key = (namespace.to_owned(), pod.to_owned(), container.to_owned());
        self.logs.insert(key, text.to_owned());
    }

    pub(super) fn add_answer(&mut self, node: &str, endpoint: NodeEndpoint, code: u16, body: &str) {
        let answer = NodeResponse { code, body: body.as_bytes().to_vec() };
        self.answers.push((node.to_owned(), endpoint, answer));
    }

    /// Refuses what the test denies; `resource` may have a subresource.
    pub(crate) fn check(&self, verb: &str, kind: &Resource, resource: &str) -> Result<(), Error> {
        let asked = (verb.to_owned(), kind.group().to_owned(), resource.to_owned());
        if !self.denied.contains(&asked) {
            return Ok(());
        }
        Err(Error::Denied(Box::new(Denial {
            verb: verb.to_owned(),
            group: kind.group().to_owned(),
            resource: resource.to_owned(),
            namespace: "*".to_owned(),
            name: String::new(),
            remedy: format!("grant `{verb}` on `{resource}`"),
        })))
    }

    fn of<'a>(&'a self, wanted: &'a Resource) -> impl Iterator<Item = &'a Value> {
        self.objects.iter().filter_map(move |(served, value)| {
            let same = served.resource.group() == wanted.group() && served.resource.name() == wanted.name();
            let version = wanted.version().is_empty() || served.resource.version() == wanted.version();
            (same && version).then_some(value)
        })
    }

    pub(crate) fn get(
        &self,
        resource: &Resource,
        namespace: Option<&str>,
        name: &str,
        cut: &Cut,
    ) -> Result<Vec<u8>, Error> {
        self.check("get", resource, resource.name())?;
        let found = self.of(resource).find(|value| {
            text_at(value, "/metadata/name") == name && text_at(value, "/metadata/namespace") == namespace.unwrap_or("")
        });
        found.map(|value| matching::cut(value, cut).to_string().into_bytes()).ok_or(Error::NotFound)
    }

    pub(crate) fn list(&self, verb: &str, resource: &Resource, selection: &Selection) -> Result<Vec<Vec<u8>>, Error> {
        self.check(verb, resource, resource.name())?;
        if self.of(resource).next().is_none() {
            return Err(Error::NotServed(resource.name().to_owned()));
        }
        let chosen = self.of(resource).filter(|value| {
            let namespace = text_at(value, "/metadata/namespace");
            selection.namespace.as_ref().is_none_or(|wanted| *wanted == namespace)
                && matching::labels(&selection.label_selector, value)
                && matching::fields(&selection.field_selector, value)
        });
        Ok(chosen.map(|value| matching::cut(value, &selection.cut).to_string().into_bytes()).collect())
    }

    pub(crate) fn pod_log(&self, namespace: &str, pod: &str, selection: &LogSelection) -> Result<Vec<u8>, Error> {
        self.check("get", &Resource::core("pods"), "pods/log")?;
        let of_pod = |key: &(String, String, String)| key.0 == namespace && key.1 == pod;
        let found = self
            .logs
            .iter()
            .find(|(key, _)| of_pod(key) && selection.container.as_ref().is_none_or(|container| *container == key.2));
        let text = found.map(|(_, text)| text.as_str()).ok_or(Error::NotFound)?;
        let skipped = selection
            .tail_lines
            .map_or(0, |lines| text.lines().count().saturating_sub(usize::try_from(lines).unwrap_or(usize::MAX)));
        let mut bytes: Vec<u8> = text.split_inclusive('\n').skip(skipped).collect::<String>().into_bytes();
        if let Some(limit) = selection.limit_bytes {
            bytes.truncate(usize::try_from(limit).unwrap_or(usize::MAX));
        }
        Ok(bytes)
    }

    pub(crate) fn node(&self, name: &str, endpoint: NodeEndpoint) -> Result<NodeResponse, Error> {
        self.check("get", &Resource::core("nodes"), "nodes/proxy")?;
        let found = self.answers.iter().find(|(node, known, _)| node == name && *known == endpoint);
        found
            .map(|(_, _, answer)| answer.clone())
            .ok_or_else(|| Error::Unsupported("no answer was recorded".to_owned()))
    }

    pub(crate) fn api_resources(&self) -> Vec<ApiResource> {
        let mut served: Vec<_> = self.objects.iter().map(|(served, _)| served.clone()).collect();
        served.sort_by(|left, right| left.resource.cmp(&right.resource));
        served.dedup();
        served
    }
}

fn text_at(value: &Value, pointer: &str) -> String {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
}
