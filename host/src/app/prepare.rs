//! From a file that was found to a plugin that can run, or to the reason why it cannot.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use porthole_core::config;
use porthole_core::grant::{FilesystemAccess, Window};
use porthole_core::limits::{Limits, OperatorLimits};
use porthole_core::manifest::PluginManifest;
use serde_json::Value;

use super::grants::{Book, Granted};
use crate::causes::chain;
use crate::imports::{Folder, FolderAccess};
use crate::plugin::Loader;
use crate::registry::{Candidate, Component, World};
use crate::runs::{Prepared, Program};

/// What the operator says of plugins besides grants.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Settings {
    /// Settings by plugin.
    pub(super) config: BTreeMap<String, Value>,
    /// Bounds for all plugins.
    pub(super) limits: OperatorLimits,
}

/// Makes a plugin ready. Whatever is wrong with it is kept as the reason for its error results.
pub(super) async fn prepare(loader: &Loader, candidate: Candidate, book: &Book, settings: &Settings) -> Prepared {
    let Granted { grants, limits: granted_limits } = book.look_up(&candidate);
    let window = Window { requests: candidate.manifest.requests.clone(), grants };
    let limits = limits(&candidate.manifest, &settings.limits, &granted_limits);
    let name = candidate.name().to_owned();
    let resolved = config::resolve(candidate.manifest.config.schema.as_ref(), settings.config.get(&name));
    let (config, config_error) = match resolved {
        Ok(config) => (config.to_string(), None),
        Err(error) => (String::from("{}"), Some(error.to_string())),
    };
    let program = match config_error {
        Some(error) => Err(error),
        None => load(loader, candidate.component.as_ref()).await,
    };
    Prepared {
        digest: candidate.component.map(|component| component.digest).unwrap_or_default(),
        program,
        folders: folders(&window),
        environment: environment(&window),
        window,
        limits,
        config,
        manifest: candidate.manifest,
    }
}

async fn load(loader: &Loader, component: Option<&Component>) -> Result<Program, String> {
    let Some(component) = component else { return Err("it has no component".to_owned()) };
    let bytes = component.load().map_err(|error| chain(&error))?;
    // A cache is keyed by what the bytes are, never by what somebody says of them.
    let digest = digest(&bytes);
    let world = component.worlds.first().ok_or("it implements no world that this host runs")?;
    let loaded = match world {
        World::Producer => loader.producer(&digest, bytes).await.map(|ready| Program::Producer(Arc::new(ready))),
        World::Command => loader.command(&digest, bytes).await.map(|ready| Program::Command(Arc::new(ready))),
    };
    loaded.map_err(|error| chain(&error))
}

fn digest(bytes: &[u8]) -> String {
    use sha2::{Digest, Sha256};
    use std::fmt::Write;
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The defaults, changed by the operator for all, then for this plugin, then lowered by the plugin.
fn limits(manifest: &PluginManifest, of_all: &OperatorLimits, of_plugin: &OperatorLimits) -> Limits {
    let limits = Limits::for_producer().overridden_by(of_all).overridden_by(of_plugin);
    let (mut limits, kept) = limits.lowered_by(&manifest.limits);
    for kept in kept {
        tracing::warn!(plugin = manifest.name, "`{}`: asked for {}, may have {}", kept.name, kept.asked, kept.kept);
    }
    if let Some(timeout) = manifest.producer.as_ref().and_then(|producer| producer.timeout) {
        limits.timeout = limits.timeout.min(timeout);
    }
    limits
}

/// The folders that are both asked for and granted, seen by the guest under their own paths.
fn folders(window: &Window) -> Vec<Folder> {
    let granted = |path: &str, access: FilesystemAccess| {
        window
            .grants
            .filesystem
            .iter()
            .any(|rule| rule.path == path && (rule.access == access || rule.access == FilesystemAccess::Write))
    };
    let asked = window.requests.filesystem.iter().filter(|rule| granted(&rule.path, rule.access));
    asked
        .map(|rule| Folder {
            host_path: PathBuf::from(&rule.path),
            guest_path: rule.path.clone(),
            access: match rule.access {
                FilesystemAccess::Read => FolderAccess::Read,
                FilesystemAccess::Write => FolderAccess::Write,
            },
        })
        // A folder that this machine does not have is not there for the guest either.
        .filter(|folder| folder.host_path.is_dir())
        .collect()
}

fn environment(window: &Window) -> Vec<(String, String)> {
    let asked = window.requests.environment.iter().filter(|rule| window.may_read_variable(&rule.name));
    asked.filter_map(|rule| Some((rule.name.clone(), std::env::var(&rule.name).ok()?))).collect()
}
