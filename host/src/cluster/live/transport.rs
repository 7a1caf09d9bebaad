//! One request to the API server: bounded in time, size and number, repeated where that is safe.

use std::sync::Arc;
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http::header::{ACCEPT, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::BodyExt;
use kube::Client;
use kube::client::Body;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout};

use super::backoff::{self, Failure, Repeat};
use super::failure::{self, Subject};
use super::limit;
use crate::cluster::{ClusterError, Result};

/// What to ask.
#[derive(Debug, Clone)]
pub(super) struct Question {
    pub(super) method: Method,
    /// Path and query.
    pub(super) path: String,
    pub(super) accept: &'static str,
    /// The body and its media type.
    pub(super) body: Option<(Bytes, &'static str)>,
    pub(super) subject: Subject,
    pub(super) repeat: Repeat,
    /// Bytes of the answer, at most.
    pub(super) answer_bytes: usize,
    /// Time of one attempt.
    pub(super) timeout: Duration,
    pub(super) attempts: u32,
}

impl Question {
    /// A read of `path` with the usual bounds.
    pub(super) fn get(path: String) -> Self {
        Self {
            method: Method::GET,
            path,
            accept: "application/json",
            body: None,
            subject: Subject::default(),
            repeat: Repeat::Read,
            answer_bytes: limit::ANSWER_BYTES,
            timeout: limit::REQUEST_TIMEOUT,
            attempts: limit::ATTEMPTS,
        }
    }

    fn request(&self) -> std::result::Result<Request<Body>, http::Error> {
        let mut request = Request::builder().method(&self.method).uri(&self.path).header(ACCEPT, self.accept);
        let mut body = Body::empty();
        if let Some((bytes, media_type)) = &self.body {
            request = request.header(CONTENT_TYPE, *media_type);
            body = Body::from(bytes.clone());
        }
        request.body(body)
    }
}

/// An answer that was read whole.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) code: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: Bytes,
}

/// The way to one API server. Cheap to clone.
#[derive(Clone)]
pub(super) struct Transport {
    client: Client,
    places: Arc<Semaphore>,
    name: Arc<str>,
    url: Arc<str>,
}

/// How one attempt ended badly.
struct Attempt {
    failure: Failure,
    error: ClusterError,
}

impl Transport {
    pub(super) fn new(client: Client, name: &str, url: &str, concurrent_requests: usize) -> Self {
        Self {
            client,
            places: Arc::new(Semaphore::new(concurrent_requests.max(1))),
            name: name.into(),
            url: url.into(),
        }
    }

    /// Returns the connection's name for people.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Asks until there is an answer that is not an error.
    pub(super) async fn ask(&self, question: &Question) -> Result<Answer> {
        self.repeat(question, || self.bounded(question, self.successful(question))).await
    }

    /// Asks, and returns an HTTP error as an answer unless it is the API server's own.
    pub(super) async fn ask_behind(&self, question: &Question) -> Result<Answer> {
        self.repeat(question, || self.bounded(question, self.passed_on(question))).await
    }

    /// Asks for an answer that comes piece by piece. The place among the concurrent requests is given back when
    /// it begins: a watch would otherwise hold it for minutes.
    pub(super) async fn open(&self, question: &Question) -> Result<Body> {
        self.repeat(question, || self.bounded(question, self.opened(question))).await
    }

    async fn repeat<T, F>(&self, question: &Question, attempt: impl Fn() -> F) -> Result<T>
    where
        F: Future<Output = std::result::Result<T, Attempt>>,
    {
        let begun = Instant::now();
        let mut attempts = 0;
        loop {
            let failed = {
                let _place = self
                    .places
                    .acquire()
                    .await
                    .map_err(|_| ClusterError::Unavailable("the host is stopping".into()))?;
                match attempt().await {
                    Ok(answer) => return Ok(answer),
                    Err(failed) => failed,
                }
            };
            attempts += 1;
            let wait = backoff::wait(question.repeat, failed.failure, attempts)
                .filter(|wait| attempts < question.attempts && begun.elapsed() + *wait < limit::TOTAL_TIME);
            let Some(wait) = wait else { return Err(after(failed.error, attempts)) };
            tracing::debug!(path = question.path, attempts, ?wait, error = %failed.error, "asking the API server again");
            tokio::time::sleep(wait).await;
        }
    }

    async fn bounded<T>(
        &self,
        question: &Question,
        attempt: impl Future<Output = std::result::Result<T, Attempt>>,
    ) -> std::result::Result<T, Attempt> {
        if let Ok(answered) = timeout(question.timeout, attempt).await {
            return answered;
        }
        let (url, path) = (&self.url, without_query(&question.path));
        let seconds = question.timeout.as_secs();
        let error = ClusterError::Unavailable(format!("`{url}` does not answer `{path}` within {seconds} s"));
        Err(Attempt { failure: Failure::Broken, error })
    }

    async fn successful(&self, question: &Question) -> std::result::Result<Answer, Attempt> {
        let response = self.send(question).await?;
        let answer = self.read(question, response).await?;
        if answer.code.is_success() { Ok(answer) } else { Err(self.refused(question, &answer)) }
    }

    async fn passed_on(&self, question: &Question) -> std::result::Result<Answer, Attempt> {
        let response = self.send(question).await?;
        let answer = self.read(question, response).await?;
        let own = !answer.code.is_success() && failure::is_status(&answer.body);
        if own { Err(self.refused(question, &answer)) } else { Ok(answer) }
    }

    async fn opened(&self, question: &Question) -> std::result::Result<Body, Attempt> {
        let response = self.send(question).await?;
        if response.status().is_success() {
            return Ok(response.into_body());
        }
        let answer = self.read(question, response).await?;
        Err(self.refused(question, &answer))
    }

    async fn send(&self, question: &Question) -> std::result::Result<Response<Body>, Attempt> {
        let request = question.request().map_err(|error| Attempt {
            failure: Failure::Permanent,
            error: ClusterError::Invalid(format!("`{}` is no request: {error}", question.path.escape_debug())),
        })?;
        self.client.send(request).await.map_err(|error| self.lost(&error))
    }

    async fn read(&self, question: &Question, response: Response<Body>) -> std::result::Result<Answer, Attempt> {
        let (parts, mut body) = response.into_parts();
        let mut bytes = BytesMut::new();
        while let Some(frame) = body.frame().await {
            let Ok(data) = frame.map_err(|error| self.lost(&error))?.into_data() else { continue };
            if bytes.len() + data.len() > question.answer_bytes {
                return Err(Attempt {
                    failure: Failure::Permanent,
                    error: ClusterError::Refused(crate::cluster::Status {
                        code: 0,
                        reason: "TooLarge".into(),
                        message: format!(
                            "the answer to `{}` is larger than {} MiB",
                            without_query(&question.path),
                            question.answer_bytes >> 20
                        ),
                    }),
                });
            }
            bytes.extend_from_slice(&data);
        }
        Ok(Answer { code: parts.status, headers: parts.headers, body: bytes.freeze() })
    }

    fn lost(&self, error: &(dyn std::error::Error + 'static)) -> Attempt {
        let (failure, words) = failure::unanswered(error, &self.url);
        Attempt { failure, error: ClusterError::Unavailable(words) }
    }

    fn refused(&self, question: &Question, answer: &Answer) -> Attempt {
        let seconds = answer.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.parse().ok());
        Attempt {
            failure: Failure::Answered(answer.code.as_u16(), seconds),
            error: failure::answered(answer.code, &answer.body, &question.subject, &self.name),
        }
    }
}

/// Says how often it was tried, where that is the point.
fn after(error: ClusterError, attempts: u32) -> ClusterError {
    match error {
        ClusterError::Unavailable(words) if attempts > 1 => {
            ClusterError::Unavailable(format!("{words} (tried {attempts} times)"))
        }
        other => other,
    }
}

fn without_query(path: &str) -> &str {
    path.split('?').next().unwrap_or(path)
}
