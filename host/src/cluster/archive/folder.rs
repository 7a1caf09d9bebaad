//! Walking a folder without following links.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use super::bounds::ArchiveBounds;
use super::error::ArchiveError;
use super::{Skipped, Visitor, entry_name};

/// Visits the regular files below `root` in the order of their names. `root` itself may be a link.
pub(super) fn visit(root: &Path, bounds: &ArchiveBounds, visitor: &mut Visitor<'_>) -> Result<Skipped, ArchiveError> {
    let mut walk = Walk { root, bounds, visitor, skipped: Skipped::default(), entries: 0, bytes: 0 };
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let mut below = walk.visit_folder(&folder)?;
        below.reverse();
        folders.append(&mut below);
    }
    Ok(walk.skipped)
}

struct Walk<'w, 'v> {
    root: &'w Path,
    bounds: &'w ArchiveBounds,
    visitor: &'w mut Visitor<'v>,
    skipped: Skipped,
    entries: u64,
    bytes: u64,
}

impl Walk<'_, '_> {
    /// Visits the files of one folder and returns the folders in it, sorted.
    fn visit_folder(&mut self, folder: &Path) -> Result<Vec<PathBuf>, ArchiveError> {
        let failed = |source| ArchiveError::Open { path: folder.to_path_buf(), source };
        let mut entries = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            self.entries += 1;
            if self.entries > self.bounds.entries {
                return Err(ArchiveError::TooManyEntries { limit: self.bounds.entries });
            }
            let entry = entry.map_err(failed)?;
            entries.push((entry.path(), entry.file_type().map_err(failed)?));
        }
        entries.sort_by(|left, right| left.0.cmp(&right.0));
        let mut folders = Vec::new();
        for (path, kind) in entries {
            if kind.is_dir() {
                folders.push(path);
            } else if kind.is_file() {
                self.visit_file(path)?;
            } else if kind.is_symlink() {
                self.skipped.links += 1;
            } else {
                self.skipped.special += 1;
            }
        }
        Ok(folders)
    }

    fn visit_file(&mut self, path: PathBuf) -> Result<(), ArchiveError> {
        let relative = path.strip_prefix(self.root).unwrap_or(&path);
        let name = entry_name::normalise(relative.as_os_str().as_bytes(), self.bounds.path_bytes)?;
        let limit = self.bounds.file_bytes.min(self.bounds.total_bytes - self.bytes);
        let mut content = LazyFile { path, file: None }.take(limit.saturating_add(1));
        (self.visitor)(&name, &mut content)?;
        let read = limit.saturating_add(1) - content.limit();
        if read > self.bounds.file_bytes {
            return Err(ArchiveError::FileTooLarge { entry: name, limit: self.bounds.file_bytes });
        }
        if read > limit {
            return Err(ArchiveError::TooLarge { entry: Some(name), limit: self.bounds.total_bytes });
        }
        self.bytes += read;
        Ok(())
    }
}

/// A file that is opened when it is read, so that a visitor pays only for what it wants and learns from
/// the reader that a file cannot be opened.
struct LazyFile {
    path: PathBuf,
    file: Option<File>,
}

impl Read for LazyFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(file) = &mut self.file {
            return file.read(buffer);
        }
        // Between listing and opening the file may have become a link, or a pipe that blocks for ever.
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        let flags = i32::try_from(flags.bits()).unwrap_or_default();
        let file = OpenOptions::new().read(true).custom_flags(flags).open(&self.path)?;
        self.file.insert(file).read(buffer)
    }
}
