//! How much an archive may ask of its reader.

/// Unpacked bytes of all files together; without it a petabyte of zeros keeps the host busy for ever.
pub(super) const TOTAL_BYTES: u64 = 8 << 30;

/// Unpacked bytes of one file; without it one endless log hides all files after it.
pub(super) const FILE_BYTES: u64 = 1 << 30;

/// Entries of all kinds; without it millions of empty files cost time and memory while staying tiny.
pub(super) const ENTRIES: u64 = 1_000_000;

/// Bytes of one entry's path; without it a single extended header could hold gigabytes of name.
pub(super) const PATH_BYTES: usize = 1024;

/// Unpacked bytes per packed byte; without it a bomb of 8 MB costs the time of its 8 GiB.
///
/// Cluster dumps reach 30, logs of repeated lines 100.
pub(super) const RATIO: u64 = 200;

/// Unpacked bytes before [`RATIO`] counts, because small files of one repeated letter are harmless.
pub(super) const RATIO_FREE_BYTES: u64 = 64 << 20;

/// Bytes of one extended header (a long name or PAX records); without it they are read whole into memory.
pub(super) const EXTENSION_BYTES: u64 = 64 << 10;

/// Bytes that unpacking xz or zstd may use for its dictionary; without it 4 GiB can be asked for.
pub(super) const DICTIONARY_BYTES: u64 = 128 << 20;

/// The bounds of one visit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveBounds {
    /// Unpacked bytes of all files together, headers of the archive included.
    pub total_bytes: u64,
    /// Unpacked bytes of one file.
    pub file_bytes: u64,
    /// Entries of all kinds, folders and links included.
    pub entries: u64,
    /// Bytes of one entry's path.
    pub path_bytes: usize,
    /// Unpacked bytes per packed byte, once `ratio_free_bytes` are unpacked.
    pub ratio: u64,
    /// Unpacked bytes before `ratio` counts.
    pub ratio_free_bytes: u64,
}

impl Default for ArchiveBounds {
    fn default() -> Self {
        Self {
            total_bytes: TOTAL_BYTES,
            file_bytes: FILE_BYTES,
            entries: ENTRIES,
            path_bytes: PATH_BYTES,
            ratio: RATIO,
            ratio_free_bytes: RATIO_FREE_BYTES,
        }
    }
}
