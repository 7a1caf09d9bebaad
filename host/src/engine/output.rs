//! What a guest writes to its standard output and error: kept up to a bound, the rest counted.

use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use wasmtime_wasi::cli::{IsTerminal, StdoutStream};
use wasmtime_wasi::p2::{OutputStream, Pollable, StreamResult};

/// Bytes that a write is offered at a time; the usual buffer of a guest's standard library.
const PIECE: usize = 64 << 10;

/// A standard stream of a guest. Clones share what was written.
///
/// Writing never fails and never blocks: a plugin that prints too much is a nuisance, not an error.
#[derive(Debug, Clone)]
pub struct BoundedOutput {
    limit: usize,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    dropped: u64,
}

impl BoundedOutput {
    /// Returns an empty stream that keeps the first `limit_bytes` bytes.
    #[must_use]
    pub fn new(limit_bytes: usize) -> Self {
        Self { limit: limit_bytes, kept: Arc::default() }
    }

    /// Returns what was kept, as text, with a last line that says how much was not.
    #[must_use]
    pub fn text(&self) -> String {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut text = String::from_utf8_lossy(&kept.bytes).into_owned();
        if kept.dropped > 0 {
            text.push_str(&format!("\n[{} more bytes were not kept]\n", kept.dropped));
        }
        text
    }
}

impl IsTerminal for BoundedOutput {
    fn is_terminal(&self) -> bool {
        false
    }
}

impl StdoutStream for BoundedOutput {
    fn p2_stream(&self) -> Box<dyn OutputStream> {
        Box::new(self.clone())
    }

    fn async_stream(&self) -> Box<dyn tokio::io::AsyncWrite + Send + Sync> {
        // Only WASI 0.3 asks for this; it is not linked.
        Box::new(tokio::io::sink())
    }
}

#[async_trait::async_trait]
impl Pollable for BoundedOutput {
    async fn ready(&mut self) {}
}

#[async_trait::async_trait]
impl OutputStream for BoundedOutput {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let room = self.limit.saturating_sub(kept.bytes.len()).min(bytes.len());
        kept.bytes.extend_from_slice(&bytes[..room]);
        kept.dropped = kept.dropped.saturating_add(u64::try_from(bytes.len() - room).unwrap_or(u64::MAX));
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(PIECE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_exceeds_the_bound_is_counted_and_not_kept() {
        let output = BoundedOutput::new(5);
        let mut stream = output.p2_stream();
        stream.write(Bytes::from_static(b"hello")).expect("writing never fails");
        stream.write(Bytes::from_static(b" world")).expect("writing never fails");
        assert_eq!(output.text(), "hello\n[6 more bytes were not kept]\n");
    }
}
