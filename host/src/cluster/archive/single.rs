//! A file that is no archive: one text, perhaps packed.

use std::io::{Cursor, Read};
use std::path::Path;

use super::error::ArchiveError;
use super::tape::Tape;
use super::{Skipped, Visitor};

/// Tells text from binary data by its first block. UTF-8 that is cut inside a letter is still text.
pub(super) fn is_text(start: &[u8]) -> bool {
    let valid = match std::str::from_utf8(start) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    valid && !start.contains(&0)
}

/// Visits the text whose first bytes are `start` under the file name in `path`, without its packing's ending.
pub(super) fn visit(
    mut tape: Tape,
    start: &[u8],
    path: &Path,
    visitor: &mut Visitor<'_>,
) -> Result<Skipped, ArchiveError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = [".gz", ".zst", ".xz"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(&name);
    tape.enter(name);
    let limit = tape.bounds().file_bytes;
    // One byte more than allowed tells a file that is too large from one that just fits.
    let mut content = Cursor::new(start).chain(tape.by_ref()).take(limit.saturating_add(1));
    visitor(name, &mut content)?;
    std::io::copy(&mut content, &mut std::io::sink())?;
    if content.limit() == 0 {
        return Err(ArchiveError::FileTooLarge { entry: name.to_owned(), limit });
    }
    Ok(Skipped::default())
}
