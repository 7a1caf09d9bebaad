//! Reads: one object, a page of a list, a log, a kubelet.

use bytes::Bytes;
use futures::stream::BoxStream;
use porthole_core::resource::ResourceType;

use super::backoff::Repeat;
use super::failure::Subject;
use super::limit;
use super::page;
use super::path;
use super::stream;
use super::transport::{Question, Transport};
use crate::cluster::{ClusterError, ListQuery, LogQuery, NodeEndpoint, NodeResponse, Object, Page, Result, Target};

/// Names what is asked for, for errors.
pub(super) fn subject(resource_type: &ResourceType, namespace: Option<&str>) -> Subject {
    Subject { resource_type: Some(resource_type.clone()), namespace: namespace.map(str::to_owned) }
}

/// Returns the parameters that select; empty selectors are left out.
pub(super) fn selectors(query: &ListQuery) -> Vec<(&'static str, String)> {
    let both = [("labelSelector", &query.label_selector), ("fieldSelector", &query.field_selector)];
    both.into_iter().filter(|(_, text)| !text.is_empty()).map(|(key, text)| (key, text.clone())).collect()
}

/// Reads one object; the version in `target` is not empty.
pub(super) async fn get(transport: &Transport, target: &Target) -> Result<Object> {
    let Target { resource_type, namespace, name } = target;
    let question = Question {
        subject: subject(resource_type, namespace.as_deref()),
        ..Question::get(path::object(resource_type, namespace.as_deref(), name)?)
    };
    object(transport, &transport.ask(&question).await?.body)
}

/// Reads the object that an answer is.
pub(super) fn object(transport: &Transport, body: &Bytes) -> Result<Object> {
    let text = std::str::from_utf8(body).map_err(|error| nonsense(transport, &error))?;
    page::object(text, "", "").map_err(|error| nonsense(transport, &error))
}

/// Reads one page; the version is not empty.
pub(super) async fn list(
    transport: &Transport,
    resource_type: &ResourceType,
    query: &ListQuery,
    page_objects: u32,
) -> Result<Page> {
    let mut pairs = selectors(query);
    pairs.push(("limit", query.limit.unwrap_or(page_objects).to_string()));
    if let Some(token) = &query.continue_token {
        pairs.push(("continue", token.clone()));
    }
    let collection = path::collection(resource_type, query.namespace.as_deref())?;
    let question = Question {
        subject: subject(resource_type, query.namespace.as_deref()),
        answer_bytes: limit::PAGE_BYTES,
        ..Question::get(collection + &path::query(&pairs))
    };
    let answer = transport.ask(&question).await.map_err(unanswerable)?;
    page::parse(&answer.body).map_err(|error| nonsense(transport, &error))
}

/// A list that is refused with 400 has a selector or token that no server understands.
fn unanswerable(error: ClusterError) -> ClusterError {
    match error {
        ClusterError::Refused(status) if status.code == 400 => ClusterError::Invalid(status.message),
        other => other,
    }
}

/// Opens a container's log.
pub(super) async fn pod_log(
    transport: &Transport,
    namespace: &str,
    pod: &str,
    query: &LogQuery,
) -> Result<BoxStream<'static, Result<Bytes>>> {
    let pods = ResourceType::new("", "v1", "pods");
    let mut pairs = Vec::new();
    if let Some(container) = &query.container {
        pairs.push(("container", container.clone()));
    }
    for (key, wanted) in [("previous", query.previous), ("timestamps", query.timestamps)] {
        if wanted {
            pairs.push((key, "true".to_owned()));
        }
    }
    let numbers =
        [("sinceSeconds", query.since_seconds), ("tailLines", query.tail_lines), ("limitBytes", query.limit_bytes)];
    pairs.extend(numbers.into_iter().filter_map(|(key, number)| Some((key, number?.to_string()))));
    let question = Question {
        subject: subject(&pods, Some(namespace)),
        repeat: Repeat::Proxied,
        accept: "*/*",
        timeout: limit::NODE_TIMEOUT,
        ..Question::get(format!("{}/log{}", path::object(&pods, Some(namespace), pod)?, path::query(&pairs)))
    };
    Ok(stream::pieces(transport.open(&question).await?, transport.name().to_owned()))
}

/// Asks a kubelet through the API server. An error of the kubelet is an answer, one of the API server is an error.
pub(super) async fn node(transport: &Transport, name: &str, endpoint: NodeEndpoint) -> Result<NodeResponse> {
    let nodes = ResourceType::new("", "v1", "nodes");
    let question = Question {
        subject: subject(&nodes, None),
        repeat: Repeat::Proxied,
        accept: "*/*",
        answer_bytes: limit::NODE_BYTES,
        timeout: limit::NODE_TIMEOUT,
        // A node that is gone does not come back while somebody waits.
        attempts: limit::FIRST_ATTEMPTS,
        ..Question::get(format!("{}/proxy/{}", path::object(&nodes, None, name)?, endpoint.path()))
    };
    let answer = transport.ask_behind(&question).await?;
    Ok(NodeResponse { code: answer.code.as_u16(), body: answer.body })
}

fn nonsense(transport: &Transport, error: &dyn std::error::Error) -> ClusterError {
    ClusterError::Unavailable(format!("{} does not talk as an API server does: {error}", transport.name()))
}
