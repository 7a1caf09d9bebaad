//! The host of native tests: the same functions, answered by the [`Cluster`](crate::testing::Cluster) that
//! the test runs the plugin on.

use crate::Context;
use crate::kubernetes::{
    ApiResource, Change, Cut, DeleteOptions, Error, LogSelection, NodeEndpoint, NodeResponse, Outcome, Page, PatchType,
    Resource, Selection,
};
use crate::log::Level;
use crate::results::{self, Item, Placement};
use crate::testing::running::{self, with};

/// Objects of a page: few, so that a test of a plugin meets several pages.
const PAGE: usize = 3;

pub(crate) fn context() -> Context {
    with(|running| running.context.clone())
}

pub(crate) fn config() -> String {
    with(|running| running.config.to_string())
}

pub(crate) fn log(level: Level, message: &str, fields: &[(&str, &str)]) {
    let fields: String = fields.iter().map(|(key, value)| format!(" {key}={value}")).collect();
    let level = format!("{level:?}").to_lowercase();
    with(|running| running.log.push(format!("{level}: {message}{fields}")));
}

pub(crate) fn progress_state(total: u64, completed: u64, message: &str, failures: &[&str], errors: &[&str]) {
    let line = format!("{completed}/{total} {message} {failures:?} {errors:?}");
    with(|running| running.progress.push(line));
}

pub(crate) fn progress_advance(completed: u64, failures: &[&str], message: &str) {
    with(|running| running.progress.push(format!("+{completed} {message} {failures:?}")));
}

pub(crate) fn report(items: Vec<Item>) -> Result<(), results::Error> {
    with(|running| running.items.extend(items));
    Ok(())
}

#[derive(Debug)]
pub(crate) struct File(String);

impl File {
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), results::Error> {
        with(|running| running.files.entry(self.0.clone()).or_default().extend_from_slice(bytes));
        Ok(())
    }
}

pub(crate) fn create_file(placement: Placement, path: &str, _media_type: &str) -> Result<File, results::Error> {
    let usable = |part: &str| !part.is_empty() && part != "." && part != ".." && !part.contains('\\');
    if !path.split('/').all(usable) {
        return Err(results::Error::InvalidPath(path.to_owned()));
    }
    let name = match placement {
        Placement::Plugin => path.to_owned(),
        Placement::Cluster => format!("/{path}"),
    };
    with(|running| {
        if running.files.contains_key(&name) {
            return Err(results::Error::Exists(path.to_owned()));
        }
        running.files.insert(name.clone(), Vec::new());
        Ok(File(name))
    })
}

pub(crate) fn get(resource: &Resource, namespace: Option<&str>, name: &str, cut: &Cut) -> Result<Vec<u8>, Error> {
    with(|running| running.cluster.get(resource, namespace, name, cut))
}

#[derive(Debug)]
pub(crate) struct Cursor {
    waiting: std::vec::IntoIter<Vec<u8>>,
}

impl Cursor {
    #[expect(clippy::unnecessary_wraps, reason = "the real host's pages can fail")]
    pub(crate) fn next(&mut self) -> Result<Option<Page>, Error> {
        let items: Vec<_> = self.waiting.by_ref().take(PAGE).collect();
        let remaining = Some(self.waiting.len() as u64);
        Ok((!items.is_empty()).then_some(Page { items, remaining }))
    }
}

pub(crate) fn list(resource: &Resource, selection: &Selection) -> Result<Cursor, Error> {
    let objects = with(|running| running.cluster.list("list", resource, selection))?;
    Ok(Cursor { waiting: objects.into_iter() })
}

#[derive(Debug)]
pub(crate) struct Watcher {
    waiting: std::vec::IntoIter<Vec<u8>>,
}

impl Watcher {
    #[expect(clippy::unnecessary_wraps, reason = "the real host's changes can fail")]
    pub(crate) fn next(&mut self, _timeout_milliseconds: u32) -> Result<Option<(Change, Vec<u8>)>, Error> {
        Ok(self.waiting.next().map(|object| (Change::Added, object)))
    }
}

pub(crate) fn watch(resource: &Resource, selection: &Selection) -> Result<Watcher, Error> {
    let objects = with(|running| running.cluster.list("watch", resource, selection))?;
    Ok(Watcher { waiting: objects.into_iter() })
}

#[derive(Debug)]
pub(crate) struct LogStream(Vec<u8>);

impl LogStream {
    #[expect(clippy::unnecessary_wraps, reason = "the real host's logs can fail")]
    pub(crate) fn read(&mut self, max: u32) -> Result<Vec<u8>, Error> {
        let length = self.0.len().min(max as usize);
        Ok(self.0.drain(..length).collect())
    }
}

pub(crate) fn pod_log(namespace: &str, pod: &str, selection: &LogSelection) -> Result<LogStream, Error> {
    with(|running| running.cluster.pod_log(namespace, pod, selection)).map(LogStream)
}

pub(crate) fn node(name: &str, endpoint: NodeEndpoint) -> Result<NodeResponse, Error> {
    with(|running| running.cluster.node(name, endpoint))
}

#[expect(clippy::unnecessary_wraps, reason = "the real host's discovery can fail")]
pub(crate) fn api_resources() -> Result<Vec<ApiResource>, Error> {
    Ok(with(|running| running.cluster.api_resources()))
}

#[expect(clippy::unnecessary_wraps, reason = "the real host can fail")]
pub(crate) fn server_version() -> Result<Vec<u8>, Error> {
    Ok(running::VERSION.as_bytes().to_vec())
}

#[expect(clippy::unnecessary_wraps, reason = "the real host can fail")]
pub(crate) fn server_groups() -> Result<Vec<u8>, Error> {
    Ok(running::GROUPS.as_bytes().to_vec())
}

pub(crate) fn create(resource: &Resource, object: &[u8]) -> Result<Outcome, Error> {
    with(|running| running.write("create", resource, object))
}

pub(crate) fn apply(resource: &Resource, object: &[u8], _force: bool) -> Result<Outcome, Error> {
    with(|running| running.write("patch", resource, object))
}

pub(crate) fn patch(
    resource: &Resource,
    _namespace: Option<&str>,
    _name: &str,
    _patch_type: PatchType,
    patch: &[u8],
) -> Result<Outcome, Error> {
    with(|running| running.write("patch", resource, patch))
}

pub(crate) fn delete(
    resource: &Resource,
    _namespace: Option<&str>,
    _name: &str,
    _options: &DeleteOptions,
) -> Result<Outcome, Error> {
    with(|running| running.write("delete", resource, b""))
}

pub(crate) fn evict(_namespace: &str, _pod: &str) -> Result<Outcome, Error> {
    with(|running| running.write("create", &Resource::core("pods/eviction"), b""))
}
