//! Unpacking what a file is packed with, told by its first bytes.

use std::cell::Cell;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::rc::Rc;

use liblzma::read::XzDecoder;
use liblzma::stream::{CONCATENATED, Stream};

use super::bounds::DICTIONARY_BYTES;
use super::error::ArchiveError;

/// `log2` of [`DICTIONARY_BYTES`], as zstd wants it.
const ZSTD_WINDOW_LOG: u32 = DICTIONARY_BYTES.ilog2();

/// A file's unpacked content, and how much of the file was read for it.
pub(super) struct Unpacked {
    /// The content.
    pub(super) reader: Box<dyn Read>,
    /// Packed bytes read so far; runs ahead by at most one buffer.
    pub(super) packed_bytes: Rc<Cell<u64>>,
}

/// Opens a file of any packing; an unknown one counts as not packed.
///
/// # Errors
///
/// [`ArchiveError::Open`] when the file cannot be read or a decoder cannot be made.
pub(super) fn open(file: File, path: &Path) -> Result<Unpacked, ArchiveError> {
    let failed = |source| ArchiveError::Open { path: path.to_path_buf(), source };
    let packed_bytes = Rc::new(Cell::new(0));
    let mut input = BufReader::new(Counted { file, bytes: Rc::clone(&packed_bytes) });
    let start = input.fill_buf().map_err(failed)?;
    let reader: Box<dyn Read> = match start {
        [0x1f, 0x8b, ..] => Box::new(flate2::bufread::MultiGzDecoder::new(input)),
        [0x28, 0xb5, 0x2f, 0xfd, ..] => {
            let mut decoder = zstd::stream::read::Decoder::with_buffer(input).map_err(failed)?;
            decoder.window_log_max(ZSTD_WINDOW_LOG).map_err(failed)?;
            Box::new(decoder)
        }
        [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => {
            let stream = Stream::new_stream_decoder(DICTIONARY_BYTES, CONCATENATED)
                .map_err(|error| failed(std::io::Error::other(error)))?;
            Box::new(XzDecoder::new_stream(input, stream))
        }
        _ => Box::new(input),
    };
    Ok(Unpacked { reader, packed_bytes })
}

struct Counted {
    file: File,
    bytes: Rc<Cell<u64>>,
}

impl Read for Counted {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.bytes.set(self.bytes.get().saturating_add(u64::try_from(count).unwrap_or(u64::MAX)));
        Ok(count)
    }
}
