//! Reading a tar stream: ustar, GNU and PAX headers (POSIX.1-2017 `pax`), none of them believed.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use tar::{EntryType, Header, PaxExtensions};

use super::bounds::EXTENSION_BYTES;
use super::error::ArchiveError;
use super::tape::{BLOCK_BYTES, Tape};
use super::{Skipped, Visitor, entry_name};

/// Where a header keeps the sum of its bytes.
const CHECKSUM: std::ops::Range<usize> = 148..156;

/// Tells whether a stream that starts so is a tar archive; an archive of nothing is one.
pub(super) fn is_tar(start: &[u8]) -> bool {
    start.len() == BLOCK_BYTES && (is_zero(start) || header(start).is_ok())
}

/// Visits the regular files of the archive whose first block is `start`.
pub(super) fn visit(mut tape: Tape, start: Vec<u8>, visitor: &mut Visitor<'_>) -> Result<Skipped, ArchiveError> {
    let mut reading = Reading { skipped: Skipped::default(), entries: 0, seen: HashSet::new(), next: Next::default() };
    let hasher = RandomState::new();
    let mut block = start;
    // A stream that ends where a header could be is whole for GNU tar, too.
    while !block.is_empty() && !is_zero(&block) {
        let header = header(&block).map_err(|reason| ArchiveError::Header {
            after: tape.entry(),
            offset: tape.offset().saturating_sub(BLOCK_BYTES as u64),
            reason,
        })?;
        reading.step(&mut tape, header, &hasher, visitor)?;
        block = tape.read_start()?;
    }
    tape.drain()?;
    Ok(reading.skipped)
}

/// What is known between two headers.
struct Reading {
    skipped: Skipped,
    entries: u64,
    /// Hashes of the paths visited; whole paths could fill a gigabyte.
    seen: HashSet<u64>,
    next: Next,
}

/// What extended headers say about the entry that follows them.
#[derive(Default)]
struct Next {
    path: Option<Vec<u8>>,
    size: Option<u64>,
}

impl Reading {
    fn step(
        &mut self,
        tape: &mut Tape,
        header: &Header,
        hasher: &RandomState,
        visitor: &mut Visitor<'_>,
    ) -> Result<(), ArchiveError> {
        self.entries += 1;
        if self.entries > tape.bounds().entries {
            return Err(ArchiveError::TooManyEntries { limit: tape.bounds().entries });
        }
        let bad = |reason: String| ArchiveError::Header { after: tape.entry(), offset: tape.offset(), reason };
        let own_size = header.entry_size().map_err(|error| bad(error.to_string()))?;
        match header.entry_type() {
            EntryType::GNULongName => {
                let mut path = extension(tape, own_size)?;
                while path.last() == Some(&0) {
                    path.pop();
                }
                self.next.path = Some(path);
                return Ok(());
            }
            EntryType::XHeader => {
                let records = extension(tape, own_size)?;
                return read_records(&records, &mut self.next).map_err(|reason| ArchiveError::Header {
                    after: tape.entry(),
                    offset: tape.offset(),
                    reason,
                });
            }
            EntryType::GNULongLink | EntryType::XGlobalHeader => return extension(tape, own_size).map(|_| ()),
            _ => {}
        }
        let Next { path, size } = std::mem::take(&mut self.next);
        let path = path.unwrap_or_else(|| header.path_bytes().into_owned());
        let name = entry_name::normalise(&path, tape.bounds().path_bytes)?;
        tape.enter(&name);
        let size = size.unwrap_or(own_size);
        if size > tape.bounds().file_bytes {
            return Err(ArchiveError::FileTooLarge { entry: name, limit: tape.bounds().file_bytes });
        }
        // Old archives mark folders by a slash at the end only.
        let is_folder = header.entry_type() == EntryType::Directory || path.ends_with(b"/");
        match header.entry_type() {
            _ if is_folder => {}
            EntryType::Regular | EntryType::Continuous if self.seen.insert(hasher.hash_one(&name)) => {
                return tape.with_entry(size, |content| visitor(&name, content));
            }
            EntryType::Regular | EntryType::Continuous => self.skipped.duplicates += 1,
            EntryType::Link | EntryType::Symlink => self.skipped.links += 1,
            _ => self.skipped.special += 1,
        }
        tape.with_entry(size, |_| Ok(()))
    }
}

fn extension(tape: &mut Tape, size: u64) -> Result<Vec<u8>, ArchiveError> {
    if size > EXTENSION_BYTES {
        let reason = format!("an extended header of {size} bytes is longer than {EXTENSION_BYTES}");
        return Err(ArchiveError::Header { after: tape.entry(), offset: tape.offset(), reason });
    }
    let mut bytes = Vec::new();
    tape.with_entry(size, |content| Ok(content.read_to_end(&mut bytes).map(|_| ())?))?;
    Ok(bytes)
}

fn read_records(records: &[u8], next: &mut Next) -> Result<(), String> {
    for record in PaxExtensions::new(records) {
        let record = record.map_err(|error| error.to_string())?;
        match record.key_bytes() {
            b"path" => next.path = Some(record.value_bytes().to_vec()),
            b"size" => {
                let size = record.value().ok().and_then(|size| size.parse().ok());
                next.size = Some(size.ok_or("the extended size is no number")?);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Takes a block for a header, if the sum of its bytes is right (signed sums were written once, too).
fn header(block: &[u8]) -> Result<&Header, String> {
    if block.len() != BLOCK_BYTES {
        return Err(format!("only {} bytes are left", block.len()));
    }
    let header = Header::from_byte_slice(block);
    let claimed = header.cksum().map_err(|_| "its checksum is no number".to_owned())?;
    let byte = |index: usize, byte: u8| if CHECKSUM.contains(&index) { b' ' } else { byte };
    let unsigned: i64 = block.iter().enumerate().map(|(index, &value)| i64::from(byte(index, value))).sum();
    let signed: i64 = block.iter().enumerate().map(|(index, &value)| i64::from(byte(index, value).cast_signed())).sum();
    if i64::from(claimed) == unsigned || i64::from(claimed) == signed {
        return Ok(header);
    }
    Err("its checksum is wrong".to_owned())
}

fn is_zero(block: &[u8]) -> bool {
    block.iter().all(|byte| *byte == 0)
}
