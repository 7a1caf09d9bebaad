//! The world `producer-plugin`: collects or checks, once per target.

use porthole_bindings::exports::porthole::plugin::producer::Failure;
use porthole_bindings::{ProducerPlugin as Bindings, ProducerPluginPre};
use wasmtime::component::InstancePre;

use super::{CallOutcome, CallReport, PluginError, in_fresh_store};
use crate::engine::Engine;
use crate::imports::{Guest, GuestSettings};

/// A producer that is ready to run.
pub struct ProducerPlugin {
    engine: Engine,
    pre: ProducerPluginPre<Guest>,
}

impl ProducerPlugin {
    pub(super) fn new(engine: Engine, pre: InstancePre<Guest>) -> Result<Self, PluginError> {
        let pre = ProducerPluginPre::new(pre).map_err(|error| PluginError::Link(format!("{error:#}")))?;
        Ok(Self { engine, pre })
    }

    /// Runs `produce` once, in a new instance.
    pub async fn produce(&self, settings: GuestSettings) -> CallReport {
        in_fresh_store(&self.engine, settings, async |store| {
            let plugin: Bindings = self.pre.instantiate_async(&mut *store).await?;
            let produced = plugin.porthole_plugin_producer().call_produce(store).await?;
            Ok(produced.map_or_else(failed, |()| CallOutcome::Done))
        })
        .await
    }
}

fn failed(failure: Failure) -> CallOutcome {
    let (kind, message) = match failure {
        Failure::Configuration(message) => ("configuration", message),
        Failure::Denied(message) => ("denied", message),
        Failure::Unavailable(message) => ("unavailable", message),
        Failure::Other(message) => ("other", message),
    };
    CallOutcome::Failed { kind, message }
}
