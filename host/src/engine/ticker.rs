//! The clock of the sandbox: one thread that moves the engine's epoch.

use std::io;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// The period of an epoch. Guests yield to other tasks at every tick, and are stopped at one.
pub const TICK: Duration = Duration::from_millis(10);

/// The thread. It moves the epoch at a fixed pace for all stores and never for the sake of one:
/// a moved epoch would cut every other guest's time short.
pub(super) struct Ticker {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    /// Starts ticking for `engine` until the ticker is dropped or the engine is gone.
    pub(super) fn start(engine: &wasmtime::Engine) -> io::Result<Self> {
        let engine = engine.weak();
        let (stop, stopped) = channel::<()>();
        let thread = std::thread::Builder::new().name("porthole-epoch".to_owned()).spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = stopped.recv_timeout(TICK) {
                let Some(engine) = engine.upgrade() else { return };
                engine.increment_epoch();
            }
        })?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take()
            && thread.thread().id() != std::thread::current().id()
        {
            // The thread only sleeps and counts; it cannot have panicked.
            let _ = thread.join();
        }
    }
}
