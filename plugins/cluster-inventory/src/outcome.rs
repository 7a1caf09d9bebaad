//! What an attempt to collect something came to, as an item.

use std::io;

use porthole_sdk::kubernetes::Error;
use porthole_sdk::results::{self, Item, Severity};

/// Why something was not collected.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The cluster did not give it.
    Cluster(Error),
    /// The host did not take it.
    Host(results::Error),
    /// Reading or writing broke off.
    Io(io::Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Self {
        Self::Cluster(error)
    }
}

impl From<results::Error> for Trouble {
    fn from(error: results::Error) -> Self {
        Self::Host(error)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// What was collected.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Collected {
    pub(crate) objects: u64,
    pub(crate) bytes: u64,
}

/// Returns the item for an attempt. What was refused is unknown and not failed: nothing is wrong with the
/// cluster. What this kind of cluster cannot have is skipped.
pub(crate) fn item<const N: usize>(path: [&str; N], result: Result<Collected, Trouble>) -> Item {
    let trouble = match result {
        Ok(collected) => {
            let item = Item::passed(path).detail("bytes", collected.bytes);
            return if collected.objects > 0 { item.detail("objects", collected.objects) } else { item };
        }
        Err(trouble) => trouble,
    };
    match trouble {
        Trouble::Cluster(error @ Error::Denied(_)) => Item::unknown(path).message(error.to_string()),
        Trouble::Cluster(error @ (Error::Unsupported(_) | Error::NotServed(_))) => {
            Item::skipped(path).message(error.to_string())
        }
        Trouble::Cluster(error) => failed(path, error.to_string()),
        Trouble::Host(results::Error::Denied(remedy)) => Item::unknown(path).message(remedy),
        Trouble::Host(error) => failed(path, error.to_string()),
        Trouble::Io(error) => failed(path, error.to_string()),
    }
}

fn failed<const N: usize>(path: [&str; N], message: String) -> Item {
    Item::failed(path).severity(Severity::Medium).check("collect").message(message)
}
