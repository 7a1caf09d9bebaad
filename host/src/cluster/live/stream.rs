//! Answers that come piece by piece: a container's log, and the lines of a watch.

use bytes::{Buf, Bytes, BytesMut};
use futures::stream::{BoxStream, StreamExt};
use http_body_util::BodyExt;
use kube::client::Body;
use tokio::time::timeout;

use super::failure;
use super::limit;
use crate::cluster::{ClusterError, Result};

/// Returns the body's pieces as they come; a piece is what one read of the connection gave.
pub(super) fn pieces(body: Body, name: String) -> BoxStream<'static, Result<Bytes>> {
    let pieces = futures::stream::try_unfold((body, name), |(mut body, name)| async move {
        let piece = next_piece(&mut body, &name).await?;
        Ok(piece.map(|piece| (piece, (body, name))))
    });
    pieces.boxed()
}

/// Returns the next piece that is not empty; `None` at the end.
async fn next_piece(body: &mut Body, name: &str) -> Result<Option<Bytes>> {
    loop {
        let idle = || ClusterError::Unavailable(format!("{name} sent nothing for {} s", limit::STREAM_IDLE.as_secs()));
        let frame = timeout(limit::STREAM_IDLE, body.frame()).await.map_err(|_| idle())?;
        let Some(frame) = frame else { return Ok(None) };
        let frame = frame.map_err(|error| ClusterError::Unavailable(failure::unanswered(&error, name).1))?;
        match frame.into_data() {
            Ok(data) if !data.is_empty() => return Ok(Some(data)),
            _ => {}
        }
    }
}

/// The lines of a body, each at most [`limit::WATCH_EVENT_BYTES`] long.
pub(super) struct Lines {
    body: Body,
    name: String,
    buffered: BytesMut,
    /// How much of `buffered` holds no line feed.
    searched: usize,
}

impl Lines {
    pub(super) fn new(body: Body, name: String) -> Self {
        Self { body, name, buffered: BytesMut::new(), searched: 0 }
    }

    /// Returns the next line without its line feed; `None` at the end. A last line without one is cut off and lost.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>> {
        loop {
            let found = self.buffered[self.searched..].iter().position(|byte| *byte == b'\n');
            if let Some(position) = found {
                let line = self.buffered.split_to(self.searched + position).freeze();
                self.buffered.advance(1);
                self.searched = 0;
                return Ok(Some(line));
            }
            self.searched = self.buffered.len();
            if self.buffered.len() > limit::WATCH_EVENT_BYTES {
                return Err(ClusterError::Unavailable(format!(
                    "{} sent an event larger than {} MiB",
                    self.name,
                    limit::WATCH_EVENT_BYTES >> 20
                )));
            }
            let Some(piece) = next_piece(&mut self.body, &self.name).await? else { return Ok(None) };
            self.buffered.extend_from_slice(&piece);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn lines_are_cut_at_line_feeds_and_half_a_line_is_lost() {
        let mut lines = Lines::new(Body::from(b"one\n\ntwo\nthr".to_vec()), String::new());
        let mut read = Vec::new();
        while let Some(line) = lines.next().await.expect("the body is whole") {
            read.push(line);
        }
        assert_eq!(read, ["one", "", "two"]);
    }

    #[tokio::test]
    async fn a_line_without_end_is_an_error() {
        let mut lines = Lines::new(Body::from(vec![b'x'; limit::WATCH_EVENT_BYTES + 1]), String::new());
        let error = lines.next().await.expect_err("this line is too long");
        assert!(error.to_string().contains("larger than 16 MiB"), "{error}");
    }
}
