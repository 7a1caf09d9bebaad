//! The plugin's settings.

use serde::de::DeserializeOwned;

/// The settings do not have the type that the plugin expects. The manifest's schema should have caught it.
#[derive(Debug, thiserror::Error)]
#[error("the settings do not fit the plugin: {0}")]
pub struct Error(#[from] serde_json::Error);

/// Returns the settings, which the host has checked against the schema in the manifest and completed with
/// the schema's defaults.
///
/// # Errors
///
/// Fails when they do not fit `T`.
pub fn get<T: DeserializeOwned>() -> Result<T, Error> {
    Ok(serde_json::from_str(&crate::host::config())?)
}
