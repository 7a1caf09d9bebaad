//! Reading the files of a folder or an archive once, without writing any of them anywhere.

use std::fs::File;
use std::path::Path;

mod bounds;
mod compression;
mod entry_name;
mod error;
mod folder;
mod single;
mod tape;
mod tarball;

pub use bounds::ArchiveBounds;
pub use error::ArchiveError;

/// What [`visit`] calls for each file: its normalised relative path with `/`, and its content.
///
/// It need not read the content to its end. What it returns as an error ends the visit.
pub type Visitor<'v> = dyn FnMut(&str, &mut dyn std::io::Read) -> Result<(), ArchiveError> + 'v;

/// How many entries of an archive or folder were left out, by reason.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Skipped {
    /// Symbolic and hard links, which are never followed.
    pub links: u64,
    /// Devices, pipes, sockets and kinds of entry that are not known.
    pub special: u64,
    /// Files whose path an earlier entry of the archive already had.
    pub duplicates: u64,
}

/// Visits every regular file of a folder or tar archive once, streaming.
///
/// Whether `path` is a plain, gzip, zstd or xz tar archive or one (perhaps compressed) text file is told
/// by its content, not by its name; a text file is visited under its own file name without `.gz`, `.zst`
/// or `.xz`. A folder is walked in the order of names, an archive in its own order. Links and devices are
/// skipped, see [`visit_counting`]. Memory is constant but for eight bytes per entry of an archive.
///
/// # Errors
///
/// As [`ArchiveError`] says; the visitor's own error is passed on. A file of a folder that cannot be
/// opened is an error of its reader, so the visitor decides whether the visit goes on.
pub fn visit(path: &Path, bounds: &ArchiveBounds, visitor: &mut Visitor<'_>) -> Result<(), ArchiveError> {
    visit_counting(path, bounds, visitor).map(|_| ())
}

/// Visits as [`visit`] does, and returns what was left out.
///
/// # Errors
///
/// As [`visit`].
pub fn visit_counting(path: &Path, bounds: &ArchiveBounds, visitor: &mut Visitor<'_>) -> Result<Skipped, ArchiveError> {
    let failed = |source| ArchiveError::Open { path: path.to_path_buf(), source };
    let metadata = std::fs::metadata(path).map_err(failed)?;
    if metadata.is_dir() {
        return folder::visit(path, bounds, visitor);
    }
    if !metadata.is_file() {
        return Err(ArchiveError::UnknownFormat { path: path.to_path_buf() });
    }
    let mut tape = tape::Tape::new(compression::open(File::open(path).map_err(failed)?, path)?, bounds.clone());
    let start = tape.read_start()?;
    if tarball::is_tar(&start) {
        return tarball::visit(tape, start, visitor);
    }
    if single::is_text(&start) {
        return single::visit(tape, &start, path, visitor);
    }
    Err(ArchiveError::UnknownFormat { path: path.to_path_buf() })
}

#[cfg(test)]
mod tests;
