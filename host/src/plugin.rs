//! A plugin that is ready to run: compiled, linked and typed. One file per world.
//!
//! Making one costs milliseconds and happens once; every call then runs in a fresh store, so that no
//! call can see what another left behind.

use std::sync::Arc;
use std::time::Duration;

use wasmtime::Store;
use wasmtime::component::{Component, InstancePre, Linker};

use crate::engine::{BoundedOutput, Bounds, CompileError, Engine, EngineError, Stop, StopReason, Usage};
use crate::imports::{self, Guest, GuestSettings};

mod command;
mod producer;

pub use command::CommandPlugin;
pub use producer::ProducerPlugin;

/// Wall clock beyond the guest's own bound after which a call is abandoned even if the guest sits in a
/// host call; host calls have bounds of their own, so this is the second line.
const SLACK: Duration = Duration::from_millis(250);

/// Why a component could not be made ready.
#[derive(Debug, thiserror::Error)]
pub enum PluginError {
    /// It could not be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// It imports or exports what this host does not know; the text names it.
    #[error("the component does not fit this host: {0}")]
    Link(String),
}

/// Makes components ready. One per process; cheap to clone.
#[derive(Clone)]
pub struct Loader {
    engine: Engine,
    linker: Arc<Linker<Guest>>,
}

impl Loader {
    /// Returns a loader that offers all interfaces of this host.
    ///
    /// # Errors
    ///
    /// Fails only when two interfaces have one name, which is a bug.
    pub fn new(engine: Engine) -> Result<Self, EngineError> {
        let mut linker = Linker::new(engine.wasmtime());
        imports::link(&mut linker).map_err(EngineError::Configuration)?;
        Ok(Self { engine, linker: Arc::new(linker) })
    }

    /// Returns the engine below.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Makes a producer ready.
    ///
    /// # Errors
    ///
    /// See [`PluginError`].
    pub async fn producer(&self, digest: &str, bytes: Arc<[u8]>) -> Result<ProducerPlugin, PluginError> {
        ProducerPlugin::new(self.engine.clone(), self.instance_pre(digest, bytes).await?)
    }

    /// Makes a plain `wasi:cli/command` program ready.
    ///
    /// # Errors
    ///
    /// See [`PluginError`].
    pub async fn command(&self, digest: &str, bytes: Arc<[u8]>) -> Result<CommandPlugin, PluginError> {
        CommandPlugin::new(self.engine.clone(), self.instance_pre(digest, bytes).await?)
    }

    async fn instance_pre(&self, digest: &str, bytes: Arc<[u8]>) -> Result<InstancePre<Guest>, PluginError> {
        let component: Component = self.engine.load(digest, bytes).await?;
        self.linker.instantiate_pre(&component).map_err(|error| PluginError::Link(format!("{error:#}")))
    }
}

/// How a call ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallOutcome {
    /// The guest says that it did its work.
    Done,
    /// The guest says that it could not do its work.
    Failed {
        /// Which kind of failure it names, in one word.
        kind: &'static str,
        /// Its words.
        message: String,
    },
    /// The host stopped it, or it trapped.
    Stopped(Stop),
}

/// What is known of a call after its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallReport {
    /// How it ended.
    pub outcome: CallOutcome,
    /// What it used.
    pub usage: Usage,
    /// What it printed, bounded.
    pub stdout: String,
    /// What it printed to standard error, bounded.
    pub stderr: String,
}

/// Runs `call` in a fresh store made of `settings`, within its bounds.
async fn in_fresh_store(
    engine: &Engine,
    settings: GuestSettings,
    call: impl AsyncFnOnce(&mut Store<Guest>) -> wasmtime::Result<CallOutcome>,
) -> CallReport {
    let (stdout, stderr) = (settings.stdout.clone(), settings.stderr.clone());
    let guest = match Guest::new(settings) {
        Ok(guest) => guest,
        Err(error) => return refused(&error, &stdout, &stderr),
    };
    let mut store = Store::new(engine.wasmtime(), guest);
    Bounds::enforce(&mut store);
    let bounds = crate::engine::Bounded::bounds(store.data_mut());
    let (time_left, limit) = (bounds.time_left(), bounds.wall_limit());
    let called = tokio::time::timeout(time_left + SLACK, call(&mut store)).await;
    let bounds = crate::engine::Bounded::bounds(store.data_mut());
    let usage = bounds.usage();
    let outcome = match called {
        Ok(Ok(outcome)) => outcome,
        Ok(Err(error)) => CallOutcome::Stopped(Stop::from_error(&error, bounds.stopped(), usage)),
        Err(_late) => {
            CallOutcome::Stopped(Stop { reason: StopReason::WallClock { limit }, functions: Vec::new(), usage })
        }
    };
    CallReport { outcome, usage, stdout: stdout.text(), stderr: stderr.text() }
}

fn refused(error: &wasmtime::Error, stdout: &BoundedOutput, stderr: &BoundedOutput) -> CallReport {
    let message = format!("{error:#}");
    CallReport {
        outcome: CallOutcome::Failed { kind: "configuration", message },
        usage: Usage::default(),
        stdout: stdout.text(),
        stderr: stderr.text(),
    }
}
