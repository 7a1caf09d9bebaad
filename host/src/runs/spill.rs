//! Bytes that a run keeps: in memory while they are few, on disk when they are many.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

/// Bytes of objects that one run holds in memory. What comes later goes to a file without a name, so that
/// the memory of a run does not grow with the cluster.
const MEMORY_BYTES: usize = 64 << 20;
/// Bytes of objects that one run holds on disk; a cluster that lists for ever must not fill it.
const DISK_BYTES: u64 = 16 << 30;

/// A store of byte strings that are written once and read often.
#[derive(Debug)]
pub(super) struct Spill {
    folder: PathBuf,
    memory_left: AtomicUsize,
    disk: Mutex<Option<Disk>>,
}

#[derive(Debug)]
struct Disk {
    file: std::sync::Arc<File>,
    end: u64,
}

/// A byte string in the store.
#[derive(Debug, Clone)]
pub(super) enum Kept {
    /// In memory.
    Memory(Bytes),
    /// On disk.
    Disk {
        /// The file.
        file: std::sync::Arc<File>,
        /// Where it begins.
        offset: u64,
        /// How long it is.
        length: usize,
    },
}

impl Spill {
    /// Returns an empty store whose file, if it needs one, lies in `folder`.
    #[must_use]
    pub(super) fn new(folder: PathBuf) -> Self {
        Self { folder, memory_left: AtomicUsize::new(MEMORY_BYTES), disk: Mutex::new(None) }
    }

    /// Keeps a byte string.
    ///
    /// # Errors
    ///
    /// Fails when the disk is full or the store's bound is reached.
    pub(super) fn keep(&self, bytes: Bytes) -> io::Result<Kept> {
        let taken =
            self.memory_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes.len()));
        if taken.is_ok() {
            return Ok(Kept::Memory(bytes));
        }
        let mut disk = self.disk.lock().unwrap_or_else(PoisonError::into_inner);
        let disk = match &mut *disk {
            Some(disk) => disk,
            empty => empty.insert(Disk { file: std::sync::Arc::new(tempfile::tempfile_in(&self.folder)?), end: 0 }),
        };
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        if disk.end.saturating_add(length) > DISK_BYTES {
            return Err(io::Error::other(format!("the cluster has more than {} GiB of objects", DISK_BYTES >> 30)));
        }
        disk.file.write_all_at(&bytes, disk.end)?;
        let kept = Kept::Disk { file: disk.file.clone(), offset: disk.end, length: bytes.len() };
        disk.end += length;
        Ok(kept)
    }
}

impl Kept {
    /// Returns the byte string; from disk it costs one read, mostly served by the page cache.
    ///
    /// # Errors
    ///
    /// Fails when the disk does.
    pub(super) fn read(&self) -> io::Result<Bytes> {
        match self {
            Self::Memory(bytes) => Ok(bytes.clone()),
            Self::Disk { file, offset, length } => {
                let mut bytes = vec![0; *length];
                file.read_exact_at(&mut bytes, *offset)?;
                Ok(bytes.into())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_in_memory_is_read_from_disk() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let spill = Spill::new(folder.path().to_owned());
        spill.memory_left.store(10, Ordering::Relaxed);
        let kept: Vec<_> = ["12345", "67890", "abc", "defg"]
            .into_iter()
            .map(|text| spill.keep(Bytes::from_static(text.as_bytes())).expect("there is room"))
            .collect();
        assert!(matches!(kept[1], Kept::Memory(_)));
        assert!(matches!(kept[2], Kept::Disk { offset: 0, length: 3, .. }));
        assert!(matches!(kept[3], Kept::Disk { offset: 3, length: 4, .. }));
        let read: Vec<_> = kept.iter().map(|kept| kept.read().expect("it is there")).collect();
        assert_eq!(read, ["12345", "67890", "abc", "defg"]);
    }
}
