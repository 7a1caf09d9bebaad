//! The unpacked stream of an archive: counted, bounded, and knowing which entry it is in.

use std::io::{self, Read};

use super::bounds::ArchiveBounds;
use super::compression::Unpacked;
use super::error::ArchiveError;

/// Size of a tar block, in bytes.
pub(super) const BLOCK_BYTES: usize = 512;

/// The stream, from which headers and entries are read one after the other.
pub(super) struct Tape {
    unpacked: Unpacked,
    offset: u64,
    entry: Option<String>,
    bounds: ArchiveBounds,
}

impl Tape {
    pub(super) fn new(unpacked: Unpacked, bounds: ArchiveBounds) -> Self {
        Self { unpacked, offset: 0, entry: None, bounds }
    }

    /// Unpacked bytes read so far.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    pub(super) fn bounds(&self) -> &ArchiveBounds {
        &self.bounds
    }

    /// Says which entry later errors are to name.
    pub(super) fn enter(&mut self, entry: &str) {
        self.entry = Some(entry.to_owned());
    }

    pub(super) fn entry(&self) -> Option<String> {
        self.entry.clone()
    }

    /// Reads up to one block; shorter only at the end of the stream.
    pub(super) fn read_start(&mut self) -> Result<Vec<u8>, ArchiveError> {
        let mut block = Vec::with_capacity(BLOCK_BYTES);
        self.by_ref().take(BLOCK_BYTES as u64).read_to_end(&mut block)?;
        Ok(block)
    }

    /// Reads all that is left, so that a checksum at the end is verified.
    pub(super) fn drain(&mut self) -> Result<(), ArchiveError> {
        io::copy(self, &mut io::sink())?;
        Ok(())
    }

    /// Lets an entry of `size` bytes be read, then moves to the end of its last block.
    ///
    /// # Errors
    ///
    /// What `read` returns, else [`ArchiveError::Truncated`] when the stream ends before the entry does.
    pub(super) fn with_entry(
        &mut self,
        size: u64,
        read: impl FnOnce(&mut dyn Read) -> Result<(), ArchiveError>,
    ) -> Result<(), ArchiveError> {
        let mut content = Content { tape: self, left: size };
        read(&mut content)?;
        io::copy(&mut content, &mut io::sink())?;
        let padding = size.next_multiple_of(BLOCK_BYTES as u64) - size;
        let mut rest = Content { tape: self, left: padding };
        io::copy(&mut rest, &mut io::sink())?;
        Ok(())
    }

    fn check_bounds(&self) -> Result<(), ArchiveError> {
        if self.offset > self.bounds.total_bytes {
            return Err(ArchiveError::TooLarge { entry: self.entry(), limit: self.bounds.total_bytes });
        }
        let allowed = self.unpacked.packed_bytes.get().saturating_mul(self.bounds.ratio);
        if self.offset > self.bounds.ratio_free_bytes && self.offset > allowed {
            return Err(ArchiveError::Bomb { entry: self.entry(), ratio: self.bounds.ratio });
        }
        Ok(())
    }
}

impl Read for Tape {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = match self.unpacked.reader.read(buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
            Err(source) => {
                return Err(ArchiveError::Damaged { entry: self.entry(), offset: self.offset, source }.into());
            }
        };
        self.offset = self.offset.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
        self.check_bounds()?;
        Ok(count)
    }
}

/// The bytes of one entry; an end of the stream before their end is an error.
struct Content<'t> {
    tape: &'t mut Tape,
    left: u64,
}

impl Read for Content<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let wanted = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let Some(buffer) = buffer.get_mut(..wanted).filter(|buffer| !buffer.is_empty()) else { return Ok(0) };
        let count = self.tape.read(buffer)?;
        if count == 0 {
            return Err(ArchiveError::Truncated { entry: self.tape.entry(), offset: self.tape.offset() }.into());
        }
        self.left -= u64::try_from(count).unwrap_or(self.left);
        Ok(count)
    }
}
