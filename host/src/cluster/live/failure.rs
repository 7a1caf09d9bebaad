//! From what went wrong to words: HTTP answers and lost connections as [`ClusterError`]s.

use std::error::Error;
use std::io;

use http::StatusCode;
use porthole_core::resource::ResourceType;
use serde::Deserialize;

use super::backoff::Failure;
use crate::cluster::{ClusterError, Status};

/// Characters of an answer that is no `Status` which are quoted in an error.
const QUOTED_CHARACTERS: usize = 300;

/// What an API server says when it refuses.
#[derive(Deserialize)]
struct Answer {
    kind: String,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    message: Option<String>,
    #[serde(default)]
    details: Option<Details>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Details {
    name: String,
    group: String,
    kind: String,
}

/// What was asked, to name it in an error.
#[derive(Debug, Clone, Default)]
pub(super) struct Subject {
    pub(super) resource_type: Option<ResourceType>,
    pub(super) namespace: Option<String>,
}

/// Returns whether the body is the API server's own `Status`, not something that it passed on.
pub(super) fn is_status(body: &[u8]) -> bool {
    serde_json::from_slice::<Answer>(body).is_ok_and(|answer| answer.kind == "Status")
}

/// Says what an HTTP error means. `cluster` is the connection's name.
pub(super) fn answered(code: StatusCode, body: &[u8], subject: &Subject, cluster: &str) -> ClusterError {
    let answer = serde_json::from_slice::<Answer>(body).ok().filter(|answer| answer.kind == "Status");
    let (reason, said, details) = match answer {
        Some(answer) => (answer.reason, answer.message, answer.details),
        None => (None, Some(quote(body)), None),
    };
    let said = said.filter(|said| !said.is_empty()).unwrap_or_else(|| code.to_string());
    let status = |message| Status { code: code.as_u16(), reason: reason.clone().unwrap_or_default(), message };
    match code.as_u16() {
        401 => ClusterError::Forbidden(status(format!(
            "{cluster} does not accept the credentials (401 Unauthorized: {said}); a token or client certificate may have expired"
        ))),
        403 => ClusterError::Forbidden(status(said)),
        404 => missing(details.unwrap_or_default(), subject).unwrap_or_else(|| ClusterError::Refused(status(said))),
        409 => ClusterError::Conflict(status(said)),
        410 => ClusterError::Expired,
        502..=504 => ClusterError::Unavailable(format!("{cluster} answers {code}: {said}")),
        _ => ClusterError::Refused(status(said)),
    }
}

/// A 404 means a missing object when the server names one, else a kind that is not served.
fn missing(details: Details, subject: &Subject) -> Option<ClusterError> {
    let asked = subject.resource_type.clone();
    if details.name.is_empty() {
        return asked.map(ClusterError::NotServed);
    }
    let same = asked.filter(|asked| asked.resource == details.kind && asked.group == details.group);
    let resource = same.unwrap_or_else(|| ResourceType::new(details.group, "", details.kind));
    let namespace =
        subject.namespace.clone().filter(|_| resource.resource != "namespaces" && resource.resource != "nodes");
    Some(ClusterError::NotFound { resource, namespace, name: details.name })
}

fn quote(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(&body[..body.len().min(4 * QUOTED_CHARACTERS)]);
    text.trim().chars().take(QUOTED_CHARACTERS).collect::<String>().escape_debug().to_string()
}

/// A request that got no answer: whether to try again, and the words.
pub(super) fn unanswered(error: &(dyn Error + 'static), url: &str) -> (Failure, String) {
    let kind = io_kind(error);
    let chain = chain(error);
    let (failure, what) = match kind {
        Some(io::ErrorKind::ConnectionRefused) => (Failure::NotConnected, "refuses connections".to_owned()),
        Some(io::ErrorKind::TimedOut) => (Failure::Broken, "does not answer in time".to_owned()),
        Some(io::ErrorKind::InvalidData) if chain.contains("UnknownIssuer") => {
            (Failure::Permanent, "has a certificate of another authority than the kubeconfig's".to_owned())
        }
        Some(io::ErrorKind::InvalidData) => (Failure::Permanent, "cannot be trusted (TLS)".to_owned()),
        _ if chain.contains("auth error") => (Failure::Permanent, "needs credentials that cannot be got".to_owned()),
        _ => (Failure::Broken, "cannot be talked to".to_owned()),
    };
    (failure, format!("`{url}` {what}: {chain}"))
}

/// Returns the kind of the innermost IO error.
fn io_kind(error: &(dyn Error + 'static)) -> Option<io::ErrorKind> {
    let mut found = None;
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(io_error) = error.downcast_ref::<io::Error>() {
            found = Some(io_error.kind());
            // An `io::Error` hides what it wraps from `source`.
            next = io_error.get_ref().map(|inner| inner as &(dyn Error + 'static));
            continue;
        }
        next = error.source();
    }
    found
}

/// Returns the messages of an error and its sources, each once.
fn chain(error: &(dyn Error + 'static)) -> String {
    let mut texts: Vec<String> = Vec::new();
    let mut next = Some(error);
    while let Some(error) = next {
        let text = error.to_string();
        if !texts.iter().any(|seen| seen.contains(&text)) {
            texts.push(text);
        }
        next = error.source();
    }
    texts.join(": ")
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(code: u16, body: &str, expected: &Expect) {
        let subject =
            Subject { resource_type: Some(ResourceType::new("", "v1", "pods")), namespace: Some("shop".into()) };
        let code = StatusCode::from_u16(code).expect("the test names HTTP codes");
        let error = answered(code, body.as_bytes(), &subject, "context `x` (https://k:6443)");
        let variant = format!("{error:?}");
        let variant = variant.split([' ', '(']).next().unwrap_or_default();
        expected.assert_eq(&format!("{variant}: {error}"));
    }

    #[test]
    fn a_missing_object_is_not_a_missing_kind() {
        check(
            404,
            r#"{"kind":"Status","reason":"NotFound","message":"pods \"cart\" not found","details":{"name":"cart","kind":"pods"}}"#,
            &expect!["NotFound: there is no v1/pods `cart` in namespace `shop`"],
        );
        check(
            404,
            r#"{"kind":"Status","reason":"NotFound","message":"the server could not find the requested resource","details":{}}"#,
            &expect!["NotServed: the cluster does not serve `v1/pods`"],
        );
        check(404, "404 page not found", &expect!["NotServed: the cluster does not serve `v1/pods`"]);
        check(
            404,
            r#"{"kind":"Status","reason":"NotFound","message":"x","details":{"name":"shop","kind":"namespaces"}}"#,
            &expect!["NotFound: there is no namespaces `shop`"],
        );
    }

    #[test]
    fn an_expired_token_is_said_with_the_context() {
        check(
            401,
            r#"{"kind":"Status","reason":"Unauthorized","message":"Unauthorized"}"#,
            &expect![
                "Forbidden: context `x` (https://k:6443) does not accept the credentials (401 Unauthorized: Unauthorized); a token or client certificate may have expired"
            ],
        );
    }

    #[test]
    fn refusals_keep_the_server_s_words() {
        check(
            403,
            r#"{"kind":"Status","reason":"Forbidden","message":"pods is forbidden: User \"u\" cannot list"}"#,
            &expect![[r#"Forbidden: pods is forbidden: User "u" cannot list"#]],
        );
        check(409, r#"{"kind":"Status","message":"already exists"}"#, &expect!["Conflict: already exists"]);
        check(410, r#"{"kind":"Status","reason":"Expired"}"#, &expect!["Expired: the list is too old to go on"]);
        check(422, r#"{"kind":"Status","message":"name: Invalid value"}"#, &expect!["Refused: name: Invalid value"]);
        check(
            503,
            "<html>\u{1b}[31mno backend",
            &expect![[
                r"Unavailable: the cluster could not be reached: context `x` (https://k:6443) answers 503 Service Unavailable: <html>\u{1b}[31mno backend"
            ]],
        );
        check(500, "", &expect!["Refused: 500 Internal Server Error"]);
    }

    #[test]
    fn a_refused_connection_may_be_tried_again_and_a_bad_certificate_not() {
        let refused = io::Error::from(io::ErrorKind::ConnectionRefused);
        assert_eq!(unanswered(&refused, "https://k").0, Failure::NotConnected);
        let issuer = io::Error::new(io::ErrorKind::InvalidData, "invalid peer certificate: UnknownIssuer");
        let (failure, words) = unanswered(&issuer, "https://k");
        assert_eq!(failure, Failure::Permanent);
        expect!["`https://k` has a certificate of another authority than the kubeconfig's: invalid peer certificate: UnknownIssuer"].assert_eq(&words);
    }
}
