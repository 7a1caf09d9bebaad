//! What one guest may use, what it has used, and where it is stopped.

use std::time::{Duration, Instant};

use wasmtime::{ResourceLimiter, Result, Store, StoreContextMut, UpdateDeadline, format_err};

use super::configuration::TABLE_ELEMENTS;
use super::stop::StopReason;
use super::ticker::TICK;

/// Core instances in one store; a component that instantiates modules in a loop ends here.
const INSTANCES: usize = 128;
/// Tables in one store.
const TABLES: usize = 128;
/// Linear memories in one store.
const MEMORIES: usize = 16;
/// Bytes that lifting the arguments of one host call may allocate in the host, wasmtime's own default.
/// A guest that passes a list of a billion empty strings is stopped by it.
const HOST_CALL_BYTES: usize = 128 << 20;

/// Store data that carries [`Bounds`].
pub trait Bounded: Send + 'static {
    /// Returns the bounds of this guest.
    fn bounds(&mut self) -> &mut Bounds;
}

/// The bounds of one guest and what it has used so far.
#[derive(Debug)]
pub struct Bounds {
    memory_limit: usize,
    processor_limit: Duration,
    wall_limit: Duration,
    started: Instant,
    ticks: u32,
    memory: usize,
    peak_memory: usize,
    stopped: Option<StopReason>,
}

/// What a guest has used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Usage {
    /// Processor time in the guest, in steps of 10 ms; host calls do not count.
    pub processor: Duration,
    /// Wall clock since the guest's store was made.
    pub wall: Duration,
    /// The most bytes of linear memory held at once.
    pub peak_memory_bytes: usize,
}

impl Bounds {
    /// Returns bounds for a guest that starts now.
    #[must_use]
    pub fn new(memory_bytes: usize, processor: Duration, wall: Duration) -> Self {
        Self {
            memory_limit: memory_bytes,
            processor_limit: processor,
            wall_limit: wall,
            started: Instant::now(),
            ticks: 0,
            memory: 0,
            peak_memory: 0,
            stopped: None,
        }
    }

    /// Returns what the guest has used so far.
    #[must_use]
    pub fn usage(&self) -> Usage {
        Usage { processor: TICK * self.ticks, wall: self.started.elapsed(), peak_memory_bytes: self.peak_memory }
    }

    /// Returns how much wall clock is left.
    #[must_use]
    pub fn time_left(&self) -> Duration {
        self.wall_limit.saturating_sub(self.started.elapsed())
    }

    /// Returns the bound that was hit, if one was.
    #[must_use]
    pub fn stopped(&self) -> Option<&StopReason> {
        self.stopped.as_ref()
    }

    /// Returns the bound of wall clock.
    #[must_use]
    pub fn wall_limit(&self) -> Duration {
        self.wall_limit
    }

    /// Remembers that the guest hit a bound that somebody else enforces, such as host calls.
    pub fn stop(&mut self, reason: StopReason) {
        self.stopped.get_or_insert(reason);
    }

    /// Puts these bounds into force for `store`: memory, tables, processor time and wall clock.
    pub fn enforce<T: Bounded>(store: &mut Store<T>) {
        store.limiter(|guest| guest.bounds());
        store.set_hostcall_fuel(HOST_CALL_BYTES);
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(tick);
    }
}

/// Called when a guest's own code crosses a tick; lets other tasks run, or stops the guest.
fn tick<T: Bounded>(mut store: StoreContextMut<'_, T>) -> Result<UpdateDeadline> {
    let bounds = store.data_mut().bounds();
    bounds.ticks = bounds.ticks.saturating_add(1);
    let reason = if TICK * bounds.ticks > bounds.processor_limit {
        StopReason::Processor { limit: bounds.processor_limit }
    } else if bounds.time_left().is_zero() {
        StopReason::WallClock { limit: bounds.wall_limit }
    } else {
        return Ok(UpdateDeadline::Yield(1));
    };
    let error = format_err!("{reason}");
    bounds.stop(reason);
    Err(error)
}

impl ResourceLimiter for Bounds {
    fn memory_growing(&mut self, current: usize, desired: usize, _maximum: Option<usize>) -> Result<bool> {
        let memory = self.memory.saturating_add(desired.saturating_sub(current));
        if memory > self.memory_limit {
            // The guest sees a failed `memory.grow`, which its allocator may survive; if it does not,
            // this is the reason that the operator reads.
            self.stop(StopReason::Memory { limit: self.memory_limit });
            return Ok(false);
        }
        self.memory = memory;
        self.peak_memory = self.peak_memory.max(memory);
        Ok(true)
    }

    fn table_growing(&mut self, _current: usize, desired: usize, _maximum: Option<usize>) -> Result<bool> {
        if desired > TABLE_ELEMENTS {
            self.stop(StopReason::Table { limit: TABLE_ELEMENTS });
            return Ok(false);
        }
        Ok(true)
    }

    fn instances(&self) -> usize {
        INSTANCES
    }

    fn tables(&self) -> usize {
        TABLES
    }

    fn memories(&self) -> usize {
        MEMORIES
    }
}
