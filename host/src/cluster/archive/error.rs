//! Why an archive could not be read.

use std::io;
use std::path::PathBuf;

/// Why an archive or folder could not be read to its end. Offsets count unpacked bytes.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The file or folder cannot be opened.
    #[error("cannot open `{}`", path.display())]
    Open {
        /// What was opened.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The file is neither an archive nor text.
    #[error(
        "`{}` is neither an archive nor a text file (known: tar, plain or packed with gzip, zstd or xz; JSON; YAML)",
        path.display()
    )]
    UnknownFormat {
        /// The file.
        path: PathBuf,
    },
    /// The packed data is damaged, cut off, or followed by something else.
    #[error("the packed data is damaged or cut off at unpacked byte {offset}{}", in_entry(entry.as_deref()))]
    Damaged {
        /// The entry being read, if any.
        entry: Option<String>,
        /// How much could be unpacked.
        offset: u64,
        /// What the decoder said.
        source: io::Error,
    },
    /// The archive ends in the middle of an entry.
    #[error("the archive ends at byte {offset}{}, which should be longer", in_entry(entry.as_deref()))]
    Truncated {
        /// The entry being read, if any.
        entry: Option<String>,
        /// Where the archive ends.
        offset: u64,
    },
    /// There is no header where one must be: the archive is damaged or the size of the entry before lies.
    #[error("there is no tar header at byte {offset}{}: {reason}", after_entry(after.as_deref()))]
    Header {
        /// The entry before, if any.
        after: Option<String>,
        /// Where the header should be.
        offset: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// An entry's path leads out of the archive.
    #[error("entry `{entry}` has a path that leads outside: {reason}")]
    Traversal {
        /// The path as written, with unprintable characters escaped.
        entry: String,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// An entry's path is too long.
    #[error("entry `{entry}…` has a path longer than {limit} bytes")]
    PathTooLong {
        /// The beginning of the path.
        entry: String,
        /// The bound.
        limit: usize,
    },
    /// There are too many entries.
    #[error("there are more than {limit} entries")]
    TooManyEntries {
        /// The bound.
        limit: u64,
    },
    /// One file is too large.
    #[error("file `{entry}` is larger than {limit} bytes")]
    FileTooLarge {
        /// Its path.
        entry: String,
        /// The bound.
        limit: u64,
    },
    /// All files together are too large.
    #[error("the archive is larger than {limit} bytes when unpacked{}", in_entry(entry.as_deref()))]
    TooLarge {
        /// The entry that passed the bound, if any.
        entry: Option<String>,
        /// The bound.
        limit: u64,
    },
    /// The data unpacks to more than any honest archive.
    #[error("the archive unpacks to more than {ratio} times its size{}, as only bombs do", in_entry(entry.as_deref()))]
    Bomb {
        /// The entry that passed the bound, if any.
        entry: Option<String>,
        /// The bound.
        ratio: u64,
    },
    /// A file could not be read.
    #[error("reading failed")]
    Read(#[source] io::Error),
    /// The visitor wanted no more.
    #[error("the visit was stopped")]
    Stopped(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Gets back what a visitor's reader hid in an [`io::Error`]; other errors become [`ArchiveError::Read`].
impl From<io::Error> for ArchiveError {
    fn from(error: io::Error) -> Self {
        error.downcast::<Self>().unwrap_or_else(Self::Read)
    }
}

/// Hides itself in an [`io::Error`], because readers can return nothing else.
impl From<ArchiveError> for io::Error {
    fn from(error: ArchiveError) -> Self {
        Self::other(error)
    }
}

fn in_entry(entry: Option<&str>) -> String {
    entry.map_or_else(String::new, |entry| format!(" in entry `{entry}`"))
}

fn after_entry(entry: Option<&str>) -> String {
    entry.map_or_else(String::new, |entry| format!(" after entry `{entry}`"))
}
