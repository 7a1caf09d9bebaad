//! A plugin that does nothing, for measuring what everything else costs.

use porthole_sdk::{Context, Failure, Producer};

/// The plugin.
pub struct Idle;

impl Producer for Idle {
    fn produce(_context: &Context) -> Result<(), Failure> {
        Ok(())
    }
}

porthole_sdk::producer!(Idle, manifest = "plugin.yaml");
