//! The real host, through the WIT imports. Conversions only.

use std::time::Duration;

use crate::Context;
use crate::bindings::porthole::plugin as wit;
use crate::kubernetes::{
    ApiResource, Change, Cut, DeleteOptions, Denial, Error, LogSelection, NodeEndpoint, NodeResponse, Outcome, Page,
    PatchType, Propagation, Resource, Selection, Status,
};
use crate::log::Level;
use crate::results::{self, Item, Placement};

pub(crate) fn context() -> Context {
    let context = wit::run_context::get();
    Context {
        run_id: context.run_id,
        node_name: context.node_name,
        time_left: Duration::from_millis(context.time_left_milliseconds),
        attempt: context.attempt,
        idempotency_key: context.idempotency_key,
        dry_run: context.dry_run,
    }
}

pub(crate) fn config() -> String {
    wit::config::get()
}

pub(crate) fn log(level: Level, message: &str, fields: &[(&str, &str)]) {
    let level = match level {
        Level::Trace => wit::log::Level::Trace,
        Level::Debug => wit::log::Level::Debug,
        Level::Info => wit::log::Level::Info,
        Level::Warn => wit::log::Level::Warn,
        Level::Error => wit::log::Level::Error,
    };
    let field = |(key, value): &(&str, &str)| wit::log::Field { key: (*key).to_owned(), value: (*value).to_owned() };
    wit::log::write(level, message, &fields.iter().map(field).collect::<Vec<_>>());
}

pub(crate) fn progress_state(total: u64, completed: u64, message: &str, failures: &[&str], errors: &[&str]) {
    let owned = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    wit::progress::report(&wit::progress::State {
        total,
        completed,
        message: message.to_owned(),
        failures: owned(failures),
        errors: owned(errors),
    });
}

pub(crate) fn progress_advance(completed: u64, failures: &[&str], message: &str) {
    wit::progress::advance(&wit::progress::Increment {
        completed,
        failures: failures.iter().map(|name| (*name).to_owned()).collect(),
        add_to_total: false,
        message: message.to_owned(),
    });
}

pub(crate) fn report(items: Vec<Item>) -> Result<(), results::Error> {
    let items: Vec<_> = items.into_iter().map(item).collect();
    wit::results::report(&items).map_err(result_error)
}

fn item(item: Item) -> wit::results::Item {
    let status = match item.status {
        results::Status::Passed => wit::results::Status::Passed,
        results::Status::Failed => wit::results::Status::Failed,
        results::Status::Skipped => wit::results::Status::Skipped,
        results::Status::Unknown => wit::results::Status::Unknown,
        results::Status::Custom(word) => wit::results::Status::Custom(word),
    };
    let details =
        if item.details.is_empty() { String::new() } else { serde_json::Value::Object(item.details).to_string() };
    wit::results::Item { path: item.path, status, details }
}

fn result_error(error: wit::results::Error) -> results::Error {
    match error {
        wit::results::Error::InvalidPath(path) => results::Error::InvalidPath(path),
        wit::results::Error::Exists(path) => results::Error::Exists(path),
        wit::results::Error::LimitExceeded(limit) => {
            results::Error::LimitExceeded { name: limit.name, value: limit.value }
        }
        wit::results::Error::InvalidDetails(what) => results::Error::InvalidDetails(what),
        wit::results::Error::Denied(remedy) => results::Error::Denied(remedy),
        wit::results::Error::Storage(what) => results::Error::Storage(what),
    }
}

#[derive(Debug)]
pub(crate) struct File(wit::results::File);

impl File {
    pub(crate) fn write(&mut self, bytes: &[u8]) -> Result<(), results::Error> {
        self.0.write(bytes).map_err(result_error)
    }
}

pub(crate) fn create_file(placement: Placement, path: &str, media_type: &str) -> Result<File, results::Error> {
    let placement = match placement {
        Placement::Plugin => wit::results::Placement::Plugin,
        Placement::Cluster => wit::results::Placement::Cluster,
    };
    wit::results::create_file(placement, path, media_type).map(File).map_err(result_error)
}

fn kind(resource: &Resource) -> wit::kubernetes_types::ResourceType {
    wit::kubernetes_types::ResourceType {
        group: resource.group.clone(),
        version: resource.version.clone(),
        resource: resource.name.clone(),
    }
}

fn projection(cut: &Cut) -> wit::kubernetes::Projection {
    wit::kubernetes::Projection { fields: cut.keep.clone(), omit: cut.omit.clone() }
}

fn selection(selection: &Selection) -> wit::kubernetes::Selection {
    wit::kubernetes::Selection {
        namespace: selection.namespace.clone(),
        label_selector: selection.label_selector.clone(),
        field_selector: selection.field_selector.clone(),
        projection: projection(&selection.cut),
        fresh: selection.fresh,
    }
}

fn status(status: wit::kubernetes_types::Status) -> Status {
    Status { code: status.code, reason: status.reason, message: status.message }
}

fn error(error: wit::kubernetes_types::Error) -> Error {
    use wit::kubernetes_types::Error as Wit;
    match error {
        Wit::Denied(denial) => Error::Denied(Box::new(Denial {
            verb: denial.verb,
            group: denial.group,
            resource: denial.resource,
            namespace: denial.namespace,
            name: denial.name,
            remedy: denial.remedy,
        })),
        Wit::BudgetExceeded(budget) => Error::BudgetExceeded { name: budget.name, value: budget.value },
        Wit::NotFound => Error::NotFound,
        Wit::NotServed(kind) => Error::NotServed(format!("{}/{}/{}", kind.group, kind.version, kind.resource)),
        Wit::Invalid(what) => Error::Invalid(what),
        Wit::Conflict(refusal) => Error::Conflict(status(refusal)),
        Wit::Expired => Error::Expired,
        Wit::Refused(refusal) => Error::Refused(status(refusal)),
        Wit::Unavailable(what) => Error::Unavailable(what),
        Wit::Unsupported(what) => Error::Unsupported(what),
    }
}

pub(crate) fn get(resource: &Resource, namespace: Option<&str>, name: &str, cut: &Cut) -> Result<Vec<u8>, Error> {
    wit::kubernetes::get(&kind(resource), namespace, name, &projection(cut)).map_err(error)
}

#[derive(Debug)]
pub(crate) struct Cursor(wit::kubernetes::Cursor);

impl Cursor {
    pub(crate) fn next(&mut self) -> Result<Option<Page>, Error> {
        let page = self.0.next().map_err(error)?;
        Ok(page.map(|page| Page { items: page.items, remaining: page.remaining }))
    }
}

pub(crate) fn list(resource: &Resource, what: &Selection) -> Result<Cursor, Error> {
    wit::kubernetes::list(&kind(resource), &selection(what)).map(Cursor).map_err(error)
}

#[derive(Debug)]
pub(crate) struct Watcher(wit::kubernetes::Watcher);

impl Watcher {
    pub(crate) fn next(&mut self, timeout_milliseconds: u32) -> Result<Option<(Change, Vec<u8>)>, Error> {
        let event = self.0.next(timeout_milliseconds).map_err(error)?;
        Ok(event.map(|event| {
            let change = match event.change {
                wit::kubernetes::Change::Added => Change::Added,
                wit::kubernetes::Change::Modified => Change::Modified,
                wit::kubernetes::Change::Deleted => Change::Deleted,
            };
            (change, event.object)
        }))
    }
}

pub(crate) fn watch(resource: &Resource, what: &Selection) -> Result<Watcher, Error> {
    wit::kubernetes::watch(&kind(resource), &selection(what)).map(Watcher).map_err(error)
}

#[derive(Debug)]
pub(crate) struct LogStream(wit::kubernetes::LogStream);

impl LogStream {
    pub(crate) fn read(&mut self, max: u32) -> Result<Vec<u8>, Error> {
        self.0.read(max).map_err(error)
    }
}

pub(crate) fn pod_log(namespace: &str, pod: &str, what: &LogSelection) -> Result<LogStream, Error> {
    let selection = wit::kubernetes::LogSelection {
        container: what.container.clone(),
        previous: what.previous,
        since_seconds: what.since_seconds,
        tail_lines: what.tail_lines,
        limit_bytes: what.limit_bytes,
        timestamps: what.timestamps,
    };
    wit::kubernetes::pod_log(namespace, pod, &selection).map(LogStream).map_err(error)
}

pub(crate) fn node(name: &str, endpoint: NodeEndpoint) -> Result<NodeResponse, Error> {
    let endpoint = match endpoint {
        NodeEndpoint::Configz => wit::kubernetes::NodeEndpoint::Configz,
        NodeEndpoint::Healthz => wit::kubernetes::NodeEndpoint::Healthz,
        NodeEndpoint::StatsSummary => wit::kubernetes::NodeEndpoint::StatsSummary,
    };
    let answer = wit::kubernetes::node(name, endpoint).map_err(error)?;
    Ok(NodeResponse { code: answer.code, body: answer.body })
}

pub(crate) fn api_resources() -> Result<Vec<ApiResource>, Error> {
    let resources = wit::kubernetes::api_resources().map_err(error)?;
    let read = |resource: wit::kubernetes::ApiResource| ApiResource {
        resource: Resource {
            group: resource.resource_type.group,
            version: resource.resource_type.version,
            name: resource.resource_type.resource,
        },
        kind: resource.kind,
        namespaced: resource.namespaced,
        verbs: resource.verbs,
        preferred: resource.preferred,
    };
    Ok(resources.into_iter().map(read).collect())
}

pub(crate) fn server_version() -> Result<Vec<u8>, Error> {
    wit::kubernetes::server_version().map_err(error)
}

pub(crate) fn server_groups() -> Result<Vec<u8>, Error> {
    wit::kubernetes::server_groups().map_err(error)
}

fn outcome(outcome: wit::kubernetes_write::Outcome) -> Outcome {
    Outcome { object: outcome.object, dry_run: outcome.dry_run }
}

fn target(resource: &Resource, namespace: Option<&str>, name: &str) -> wit::kubernetes_write::Target {
    wit::kubernetes_write::Target {
        resource_type: kind(resource),
        namespace: namespace.map(str::to_owned),
        name: name.to_owned(),
    }
}

pub(crate) fn create(resource: &Resource, object: &[u8]) -> Result<Outcome, Error> {
    wit::kubernetes_write::create(&kind(resource), object).map(outcome).map_err(error)
}

pub(crate) fn apply(resource: &Resource, object: &[u8], force: bool) -> Result<Outcome, Error> {
    wit::kubernetes_write::apply(&kind(resource), object, force).map(outcome).map_err(error)
}

pub(crate) fn patch(
    resource: &Resource,
    namespace: Option<&str>,
    name: &str,
    patch_type: PatchType,
    patch: &[u8],
) -> Result<Outcome, Error> {
    let patch_type = match patch_type {
        PatchType::Merge => wit::kubernetes_write::PatchType::Merge,
        PatchType::Strategic => wit::kubernetes_write::PatchType::Strategic,
        PatchType::Json => wit::kubernetes_write::PatchType::Json,
    };
    wit::kubernetes_write::patch(&target(resource, namespace, name), patch_type, patch).map(outcome).map_err(error)
}

pub(crate) fn delete(
    resource: &Resource,
    namespace: Option<&str>,
    name: &str,
    options: &DeleteOptions,
) -> Result<Outcome, Error> {
    let options = wit::kubernetes_write::DeleteOptions {
        grace_period_seconds: options.grace_period_seconds,
        propagation: match options.propagation {
            Propagation::Background => wit::kubernetes_write::Propagation::Background,
            Propagation::Foreground => wit::kubernetes_write::Propagation::Foreground,
            Propagation::Orphan => wit::kubernetes_write::Propagation::Orphan,
        },
        uid: options.uid.clone(),
    };
    wit::kubernetes_write::delete(&target(resource, namespace, name), &options).map(outcome).map_err(error)
}

pub(crate) fn evict(namespace: &str, pod: &str) -> Result<Outcome, Error> {
    wit::kubernetes_write::evict(namespace, pod).map(outcome).map_err(error)
}
