//! A watch that survives lost connections and 410 Gone.

use std::collections::VecDeque;

use futures::stream::{BoxStream, StreamExt};
use porthole_core::resource::ResourceType;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::backoff::{self, Failure, Repeat};
use super::failure;
use super::known::Known;
use super::limit;
use super::page;
use super::path;
use super::read;
use super::stream::Lines;
use super::transport::{Question, Transport};
use crate::cluster::{ClusterError, ListQuery, Object, Result, WatchEvent};

/// Lists that expire while they are read, one after the other, before the watch gives up. Each takes
/// minutes, so a server that always says so would hold us for ever.
const EXPIRED_LISTS: u32 = 3;

#[derive(Deserialize)]
struct Line<'a> {
    r#type: &'a str,
    #[serde(borrow)]
    object: &'a RawValue,
}

#[derive(Deserialize)]
struct Bookmark {
    metadata: BookmarkMetadata,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BookmarkMetadata {
    resource_version: String,
}

#[derive(Deserialize)]
struct Code {
    #[serde(default)]
    code: u16,
}

/// Where the watch stands.
struct Watch {
    transport: Transport,
    resource_type: ResourceType,
    query: ListQuery,
    page_objects: u32,
    known: Known,
    pending: VecDeque<WatchEvent>,
    /// The state after the last event; the connection begins here when it is made again.
    resource_version: String,
    lines: Option<Lines>,
    /// Connections in a row that ended without an event.
    idle_connections: u32,
}

/// Lists, and goes on from there. The first list is read before this returns, so that a refusal is an error here.
pub(super) async fn watch(
    transport: Transport,
    resource_type: ResourceType,
    query: ListQuery,
    page_objects: u32,
) -> Result<BoxStream<'static, Result<WatchEvent>>> {
    let mut watch = Watch {
        transport,
        resource_type,
        query: ListQuery { limit: None, continue_token: None, ..query },
        page_objects,
        known: Known::default(),
        pending: VecDeque::new(),
        resource_version: String::new(),
        lines: None,
        idle_connections: 0,
    };
    watch.list().await?;
    let events = futures::stream::try_unfold(watch, |mut watch| async move {
        let event = watch.next().await?;
        Ok(Some((event, watch)))
    });
    Ok(events.boxed())
}

impl Watch {
    async fn next(&mut self) -> Result<WatchEvent> {
        loop {
            if let Some(event) = self.pending.pop_front() {
                return Ok(event);
            }
            let Some(lines) = &mut self.lines else {
                self.connect().await?;
                continue;
            };
            match lines.next().await {
                Ok(Some(line)) => self.take(&line).await?,
                Ok(None) => self.disconnect().await,
                Err(error) => {
                    tracing::debug!(%error, resource = %self.resource_type, "the watch is connected again");
                    self.disconnect().await;
                }
            }
        }
    }

    /// Waits a little when connections end as soon as they are made: a broken proxy would get a storm.
    async fn disconnect(&mut self) {
        self.lines = None;
        self.idle_connections += 1;
        if let Some(wait) = backoff::wait(Repeat::Read, Failure::Broken, self.idle_connections) {
            tokio::time::sleep(wait).await;
        }
    }

    async fn connect(&mut self) -> Result<()> {
        let mut pairs = read::selectors(&self.query);
        pairs.extend([
            ("watch", "1".to_owned()),
            ("allowWatchBookmarks", "true".to_owned()),
            ("resourceVersion", self.resource_version.clone()),
            ("timeoutSeconds", limit::WATCH_SECONDS.to_string()),
        ]);
        let collection = path::collection(&self.resource_type, self.query.namespace.as_deref())?;
        let question = Question {
            subject: read::subject(&self.resource_type, self.query.namespace.as_deref()),
            ..Question::get(collection + &path::query(&pairs))
        };
        match self.transport.open(&question).await {
            Ok(body) => {
                self.lines = Some(Lines::new(body, self.transport.name().to_owned()));
                Ok(())
            }
            Err(ClusterError::Expired) => self.list_again().await,
            Err(error) => Err(error),
        }
    }

    async fn take(&mut self, line: &[u8]) -> Result<()> {
        if line.is_empty() {
            return Ok(());
        }
        let Ok(line) = serde_json::from_slice::<Line>(line) else {
            // Half a line before the connection broke, or a proxy's error page.
            self.disconnect().await;
            return Ok(());
        };
        match line.r#type {
            "BOOKMARK" => {
                if let Ok(bookmark) = serde_json::from_str::<Bookmark>(line.object.get()) {
                    self.resource_version = bookmark.metadata.resource_version;
                }
            }
            "ERROR" => return self.refused(line.object.get()).await,
            kind => {
                let object = page::object(line.object.get(), "", "").map_err(|error| self.nonsense(&error))?;
                if let Ok(version) = serde_json::from_slice::<Bookmark>(object.json()) {
                    self.resource_version = version.metadata.resource_version;
                }
                let events = match kind {
                    "DELETED" => self.known.gone(object),
                    _ => self.known.seen(object)?,
                };
                self.pending.extend(events);
            }
        }
        self.idle_connections = 0;
        Ok(())
    }

    /// An error in the stream: 410 means to list again, what passes means to connect again.
    async fn refused(&mut self, status: &str) -> Result<()> {
        let code = serde_json::from_str::<Code>(status).map_or(500, |status| status.code);
        self.lines = None;
        match code {
            410 => self.list_again().await,
            429 | 500..=599 => {
                self.disconnect().await;
                Ok(())
            }
            code => {
                let code = http::StatusCode::from_u16(code).unwrap_or(http::StatusCode::INTERNAL_SERVER_ERROR);
                let subject = read::subject(&self.resource_type, self.query.namespace.as_deref());
                Err(failure::answered(code, status.as_bytes(), &subject, self.transport.name()))
            }
        }
    }

    /// Lists after a 410, with a pause that grows: a server that says so at every watch would be listed empty.
    async fn list_again(&mut self) -> Result<()> {
        self.disconnect().await;
        self.list().await
    }

    fn nonsense(&self, error: &page::FormatError) -> ClusterError {
        ClusterError::Unavailable(format!("{} watches nonsense: {error}", self.transport.name()))
    }

    /// Lists all pages and notes the difference to what is known.
    async fn list(&mut self) -> Result<()> {
        self.lines = None;
        let mut expired = 0;
        let objects = loop {
            match self.all_pages().await {
                Err(ClusterError::Expired) if expired < EXPIRED_LISTS => expired += 1,
                other => break other?,
            }
        };
        self.pending.extend(self.known.replaced(objects)?);
        Ok(())
    }

    async fn all_pages(&mut self) -> Result<Vec<Object>> {
        let mut objects = Vec::new();
        let mut query = self.query.clone();
        loop {
            let page = read::list(&self.transport, &self.resource_type, &query, self.page_objects).await?;
            objects.extend(page.items);
            if query.continue_token.is_none() {
                self.resource_version = page.resource_version;
            }
            query.continue_token = page.continue_token;
            if query.continue_token.is_none() {
                return Ok(objects);
            }
        }
    }
}
