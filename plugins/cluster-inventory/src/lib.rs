//! Collects a cluster's objects, node facts and logs into the tarball, as Sonobuoy's queries do.
//!
//! Whatever cannot be collected is an item that says why, and the rest is collected all the same.

mod logs;
mod nodes;
mod outcome;
mod resources;
mod server;
mod settings;

use porthole_sdk::results::Reporter;
use porthole_sdk::{Context, Failure, Producer, config};

use settings::Settings;

/// The plugin.
pub struct ClusterInventory;

impl Producer for ClusterInventory {
    fn produce(_context: &Context) -> Result<(), Failure> {
        let settings = Settings::read(config::get()?)?;
        let mut reporter = Reporter::new();
        server::collect(&mut reporter)?;
        resources::collect(&settings, &mut reporter)?;
        if settings.nodes {
            nodes::collect(&mut reporter)?;
        }
        if settings.logs.enabled {
            logs::collect(&settings.logs, &mut reporter)?;
        }
        reporter.finish()?;
        Ok(())
    }
}

porthole_sdk::producer!(ClusterInventory, manifest = "plugin.yaml");

#[cfg(test)]
mod tests;
