//! The world `wasi:cli/command`: a plain program that knows nothing of Porthole.

use wasmtime::component::InstancePre;
use wasmtime_wasi::I32Exit;
use wasmtime_wasi::p2::bindings::{Command, CommandPre};

use super::{CallOutcome, CallReport, PluginError, in_fresh_store};
use crate::engine::Engine;
use crate::imports::{Guest, GuestSettings};

/// A program that is ready to run.
pub struct CommandPlugin {
    engine: Engine,
    pre: CommandPre<Guest>,
}

impl CommandPlugin {
    pub(super) fn new(engine: Engine, pre: InstancePre<Guest>) -> Result<Self, PluginError> {
        let pre = CommandPre::new(pre).map_err(|error| PluginError::Link(format!("{error:#}")))?;
        Ok(Self { engine, pre })
    }

    /// Runs the program's `main` once. Its exit code counts: anything but 0 is a failure.
    pub async fn run(&self, settings: GuestSettings) -> CallReport {
        in_fresh_store(&self.engine, settings, async |store| {
            let program: Command = self.pre.instantiate_async(&mut *store).await?;
            match program.wasi_cli_run().call_run(store).await {
                Ok(Ok(())) => Ok(CallOutcome::Done),
                Ok(Err(())) => Ok(exited(1)),
                Err(error) => match error.downcast_ref::<I32Exit>() {
                    Some(I32Exit(0)) => Ok(CallOutcome::Done),
                    Some(I32Exit(code)) => Ok(exited(*code)),
                    None => Err(error),
                },
            }
        })
        .await
    }
}

fn exited(code: i32) -> CallOutcome {
    CallOutcome::Failed { kind: "exit-code", message: format!("it ended with exit code {code}") }
}
