//! The sandbox: one wasmtime engine, configured once, from which every guest gets a fresh store.
//!
//! The engine knows nothing of clusters, grants or results. It compiles components outside the host's
//! own process, keeps the compiled code in a private cache, bounds what a guest may use, and says in
//! words why a guest was stopped.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use wasmtime::component::Component;

mod bounds;
mod cache;
mod compile;
mod configuration;
mod output;
mod stop;
mod ticker;

pub use bounds::{Bounded, Bounds, Usage};
pub use cache::{CacheError, CompiledCache};
pub use compile::{CHILD_ARGUMENT, CompileError, Compiler, compile_child};
pub use configuration::Allocation;
pub use output::BoundedOutput;
pub use stop::{Stop, StopReason};
pub use ticker::TICK;

/// How to set an engine up.
#[derive(Debug, Clone)]
pub struct EngineOptions {
    /// Where compiled code is kept; `None` compiles anew in every process.
    pub cache_directory: Option<PathBuf>,
    /// Who compiles.
    pub compiler: Compiler,
    /// How long one component may take to compile.
    pub compile_timeout: Duration,
    /// How instances get their memory.
    pub allocation: Allocation,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            cache_directory: None,
            compiler: Compiler::InProcess,
            compile_timeout: Duration::from_secs(60),
            allocation: Allocation::Pooling,
        }
    }
}

/// Why an engine could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// wasmtime refused the configuration, also without pooling.
    #[error("the WebAssembly engine could not be started: {0:#}")]
    Configuration(wasmtime::Error),
    /// The thread that counts time could not be started.
    #[error("the thread that bounds plugins' time could not be started: {0}")]
    Ticker(std::io::Error),
    /// The cache folder cannot be used.
    #[error(transparent)]
    Cache(#[from] CacheError),
}

/// The sandbox. One per process; cheap to clone.
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

struct Inner {
    wasmtime: wasmtime::Engine,
    allocation: Allocation,
    cache: Option<CompiledCache>,
    options: EngineOptions,
    _ticker: ticker::Ticker,
}

impl Engine {
    /// Starts an engine and its ticker.
    ///
    /// Where address space is too short for pooling, the engine allocates on demand and logs a warning.
    ///
    /// # Errors
    ///
    /// Fails when wasmtime does not support this machine, a thread cannot be started, or the cache
    /// folder belongs to somebody else.
    pub fn start(options: EngineOptions) -> Result<Self, EngineError> {
        let (wasmtime, allocation) = configuration::build(options.allocation).map_err(EngineError::Configuration)?;
        let cache =
            options.cache_directory.as_deref().map(|folder| CompiledCache::open(folder, &wasmtime)).transpose()?;
        let ticker = ticker::Ticker::start(&wasmtime).map_err(EngineError::Ticker)?;
        Ok(Self { inner: Arc::new(Inner { wasmtime, allocation, cache, options, _ticker: ticker }) })
    }

    /// Returns the engine that stores and linkers are made from.
    #[must_use]
    pub fn wasmtime(&self) -> &wasmtime::Engine {
        &self.inner.wasmtime
    }

    /// Returns how instances really get their memory.
    #[must_use]
    pub fn allocation(&self) -> Allocation {
        self.inner.allocation
    }

    /// Turns a component's bytes into code: from the cache if it has it, else by compiling.
    ///
    /// `digest` is the lower-case hexadecimal SHA-256 of `bytes`. A warm cache costs about a
    /// millisecond per MiB; compiling runs off the async threads and costs about 50 ms for a small
    /// Rust plugin. A cache that cannot be written is a warning in the log, not an error.
    ///
    /// # Errors
    ///
    /// Fails when the bytes are not a component that this engine accepts, or when compiling takes
    /// longer or more memory than it may.
    pub async fn load(&self, digest: &str, bytes: Arc<[u8]>) -> Result<Component, CompileError> {
        let inner = Arc::clone(&self.inner);
        if let Some(component) = self.cached(digest).await {
            return Ok(component);
        }
        let compiled = inner.options.compiler.compile(&inner.wasmtime, bytes, inner.options.compile_timeout).await?;
        let digest = digest.to_owned();
        tokio::task::spawn_blocking(move || {
            if let Some(cache) = &inner.cache
                && let Err(error) = cache.store(&digest, compiled.bytes())
            {
                tracing::warn!(%error, "compiled code was not kept");
            }
            compiled.load(&inner.wasmtime)
        })
        .await
        .unwrap_or_else(|error| Err(CompileError::Lost(error.to_string())))
    }

    async fn cached(&self, digest: &str) -> Option<Component> {
        let inner = Arc::clone(&self.inner);
        let digest = digest.to_owned();
        let load = move || inner.cache.as_ref()?.load(&digest, &inner.wasmtime);
        tokio::task::spawn_blocking(load).await.ok().flatten()
    }
}
