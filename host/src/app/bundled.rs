//! What is embedded in the binary: plugins, what they are granted, and a snapshot to try them on.

use std::io::Write as _;
use std::sync::Arc;

use porthole_core::grant::GrantsFile;

use super::AppError;
use crate::registry::{Candidate, RegistryError};

/// Name and component of each bundled plugin.
const PLUGINS: &[(&str, &[u8])] = &include!(concat!(env!("OUT_DIR"), "/bundled.rs"));
/// What the bundled plugins are granted, checked in and reviewed like code.
const GRANTS: &str = include_str!("../../../plugins/grants.yaml");
/// A small cluster, captured by Porthole itself; `bundled/README.md` says how.
const SNAPSHOT: &[u8] = include_bytes!("../../bundled/snapshot.tar.gz");

/// Reads the bundled plugins.
///
/// # Errors
///
/// Fails only when a bundled plugin is broken, which a test rules out.
pub fn bundled_candidates() -> Result<Vec<Candidate>, RegistryError> {
    PLUGINS.iter().map(|(name, component)| Candidate::from_bytes(name, Arc::from(*component))).collect()
}

pub(super) fn grants() -> Result<GrantsFile, AppError> {
    GrantsFile::parse(GRANTS).map_err(|error| {
        AppError::usage(
            format!("the bundled grants are broken: {error}"),
            "this is a bug in Porthole; please report it",
        )
    })
}

/// Writes the bundled snapshot to a file, since snapshots are opened by path; it goes with the handle.
pub(super) fn snapshot() -> std::io::Result<tempfile::NamedTempFile> {
    let mut file = tempfile::Builder::new().prefix("porthole-bundled-").suffix(".tar.gz").tempfile()?;
    file.write_all(SNAPSHOT)?;
    file.flush()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_plugin_is_whole_and_has_a_grant() {
        let plugins = bundled_candidates().expect("they are whole");
        let grants = grants().expect("they parse");
        assert!(plugins.len() >= 3);
        for plugin in plugins {
            assert!(grants.grant_for(plugin.name(), "").is_some(), "{}", plugin.name());
        }
    }
}
