//! Reads files whole, up to a bound.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::RegistryError;

/// Reads a regular file of at most `limit` bytes.
///
/// # Errors
///
/// [`RegistryError::Unreadable`], also for what is no regular file (a pipe would wait for ever), and
/// [`RegistryError::TooLarge`].
pub fn read_bounded(path: &Path, limit: u64) -> Result<Vec<u8>, RegistryError> {
    let metadata = std::fs::metadata(path).map_err(RegistryError::Unreadable)?;
    if !metadata.is_file() {
        let error = std::io::Error::new(std::io::ErrorKind::InvalidInput, "it is not a regular file");
        return Err(RegistryError::Unreadable(error));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(RegistryError::Unreadable)?;
    // The file may grow while it is read, so its stated length is not relied on.
    let read = file.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(RegistryError::Unreadable)?;
    if u64::try_from(read).map_or(true, |read| read > limit) {
        return Err(RegistryError::TooLarge { limit });
    }
    Ok(bytes)
}
