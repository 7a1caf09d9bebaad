//! A temporary file that keeps contents until it is known which are needed, in which order.

use std::fs::File;
use std::io::{self, Read, Seek as _, SeekFrom, Write};

use crate::cluster::archive::ArchiveError;

use super::ResultsError;

/// Bytes moved at once.
const PIECE_BYTES: usize = 64 << 10;

/// Contents one behind the other. The file has no name, so that nothing is left after a crash.
#[derive(Debug)]
pub(super) struct Spill {
    file: Option<File>,
    end: u64,
    piece: Vec<u8>,
}

/// Where a content lies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extent {
    start: u64,
    /// Its length in bytes.
    pub(super) bytes: u64,
}

impl Spill {
    pub(super) fn new() -> Self {
        Self { file: None, end: 0, piece: vec![0; PIECE_BYTES] }
    }

    /// Keeps all that `content` has. Failures to write are wrapped as [`ArchiveError::Stopped`].
    pub(super) fn keep(&mut self, content: &mut dyn Read) -> Result<Extent, ArchiveError> {
        let stopped = |error| ArchiveError::Stopped(Box::new(ResultsError::Spill(error)));
        let file = match &mut self.file {
            Some(file) => file,
            file => file.insert(tempfile::tempfile().map_err(stopped)?),
        };
        let start = self.end;
        // What an interrupted content left behind is written over.
        file.seek(SeekFrom::Start(start)).map_err(stopped)?;
        loop {
            let bytes = match content.read(&mut self.piece) {
                Ok(0) => break,
                Ok(bytes) => bytes,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    self.end = start;
                    return Err(error.into());
                }
            };
            file.write_all(&self.piece[..bytes]).map_err(stopped)?;
            self.end += u64::try_from(bytes).unwrap_or_default();
        }
        Ok(Extent { start, bytes: self.end - start })
    }

    /// Returns a reader of a kept content.
    pub(super) fn reader(&mut self, extent: Extent) -> io::Result<Box<dyn Read + '_>> {
        let Some(file) = &mut self.file else { return Ok(Box::new(io::empty())) };
        file.seek(SeekFrom::Start(extent.start))?;
        Ok(Box::new(file.take(extent.bytes)))
    }

    /// Returns a kept content as a whole.
    pub(super) fn whole(&mut self, extent: Extent) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        self.reader(extent)?.read_to_end(&mut content)?;
        Ok(content)
    }
}
