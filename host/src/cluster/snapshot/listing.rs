//! Pages of a list, and the tokens between them.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Bound;
use std::sync::Arc;

use porthole_core::resource::ResourceType;

use super::kinds::Scope;
use super::store::{Objects, Store};
use crate::cluster::{ClusterError, ListQuery, Matching, Object, Page};

/// Where a list goes on. Written as `instance.revision.query.key`, all in hexadecimal.
#[derive(Debug, PartialEq, Eq)]
struct Token {
    /// The snapshot that gave the token.
    instance: u64,
    /// The state that the first page showed.
    revision: u64,
    /// What was asked, so that a token cannot be used for another question.
    query: u64,
    /// The last object of the page before.
    key: (String, String),
}

/// Lists one page. All pages of a list show the state that the first one showed.
pub(super) fn list(
    store: &mut Store,
    instance: u64,
    asked: &ResourceType,
    query: &ListQuery,
) -> Result<Page, ClusterError> {
    let matching = Matching::parse(asked, query)?;
    let (resource_type, collection) = store.resolve(asked)?;
    check_namespace(resource_type, collection.scope, query)?;
    let resource_type = resource_type.clone();
    let hash = hash(&resource_type, query);
    let (revision, objects, after) = match &query.continue_token {
        None => (store.revision(), Arc::clone(&collection.objects), None),
        Some(token) => {
            let token = Token::parse(token).filter(|token| token.instance == instance && token.query == hash);
            let token = token.ok_or(ClusterError::Expired)?;
            let objects = store.view(&resource_type, token.revision).ok_or(ClusterError::Expired)?;
            (token.revision, objects, Some(token.key))
        }
    };
    let limit = query.limit.filter(|limit| *limit > 0).and_then(|limit| usize::try_from(limit).ok());
    let mut rest = select(&objects, query.namespace.as_deref(), after, &matching);
    let mut items: Vec<Object> = Vec::new();
    while limit.is_none_or(|limit| items.len() < limit)
        && let Some(object) = rest.next()
    {
        items.push(object.clone());
    }
    // Like the API server, which counts only where it need not look at every object.
    let left = if matching.is_everything() { rest.count() } else { usize::from(rest.next().is_some()) };
    let last = items.last().filter(|_| left > 0);
    let continue_token = last.map(|object| {
        let (namespace, name) = object.key();
        let key = (namespace.to_owned(), name.to_owned());
        Token { instance, revision, query: hash, key }.write()
    });
    if continue_token.is_some() {
        store.keep_view(&resource_type, revision, &objects);
    }
    let remaining = u64::try_from(left).ok().filter(|left| *left > 0 && matching.is_everything());
    Ok(Page { items, continue_token, remaining, resource_version: revision.to_string() })
}

/// Refuses a namespace for a kind that has none, as no API server has such a path.
pub(super) fn check_namespace(
    resource_type: &ResourceType,
    scope: Scope,
    query: &ListQuery,
) -> Result<(), ClusterError> {
    match &query.namespace {
        Some(namespace) if scope == Scope::Cluster => Err(ClusterError::Invalid(format!(
            "`{resource_type}` is not namespaced, so it cannot be listed in namespace `{namespace}`"
        ))),
        _ => Ok(()),
    }
}

/// Returns the chosen objects in order, beginning behind a key.
pub(super) fn select<'o>(
    objects: &'o Objects,
    namespace: Option<&'o str>,
    after: Option<(String, String)>,
    matching: &'o Matching,
) -> impl Iterator<Item = &'o Object> {
    let start = match (after, namespace) {
        (Some(key), _) => Bound::Excluded(key),
        (None, Some(namespace)) => Bound::Included((namespace.to_owned(), String::new())),
        (None, None) => Bound::Unbounded,
    };
    objects
        .range((start, Bound::Unbounded))
        .take_while(move |(key, _)| namespace.is_none_or(|namespace| key.0 == namespace))
        .map(|(_, object)| object)
        .filter(move |object| matching.chooses(object))
}

fn hash(resource_type: &ResourceType, query: &ListQuery) -> u64 {
    let mut hasher = DefaultHasher::new();
    (resource_type, &query.namespace, &query.label_selector, &query.field_selector).hash(&mut hasher);
    hasher.finish()
}

impl Token {
    fn write(&self) -> String {
        let hexadecimal = |text: &str| text.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
        let (namespace, name) = (hexadecimal(&self.key.0), hexadecimal(&self.key.1));
        format!("{:x}.{:x}.{:x}.{namespace}.{name}", self.instance, self.revision, self.query)
    }

    fn parse(token: &str) -> Option<Self> {
        let parts: Vec<&str> = token.split('.').collect();
        let [instance, revision, query, namespace, name] = parts.as_slice() else { return None };
        let number = |text: &str| u64::from_str_radix(text, 16).ok();
        Some(Self {
            instance: number(instance)?,
            revision: number(revision)?,
            query: number(query)?,
            key: (text(namespace)?, text(name)?),
        })
    }
}

fn text(hexadecimal: &str) -> Option<String> {
    let digits = hexadecimal.as_bytes();
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    let bytes = digits.chunks(2).map(byte).collect::<Option<Vec<u8>>>()?;
    String::from_utf8(bytes).ok()
}
