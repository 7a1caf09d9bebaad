//! Why a guest was stopped, in words that an operator can act on.

use std::fmt;
use std::time::Duration;

use wasmtime::{Trap, WasmBacktrace};

use super::bounds::Usage;

/// Frames of the guest's call stack that a report shows; a recursion has a million alike.
const SHOWN_FRAMES: usize = 5;

/// Why a guest was stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopReason {
    /// It wanted more linear memory than it may have.
    Memory {
        /// The bound in bytes.
        limit: usize,
    },
    /// It wanted a larger table than it may have.
    Table {
        /// The bound in entries.
        limit: usize,
    },
    /// It used its processor time.
    Processor {
        /// The bound.
        limit: Duration,
    },
    /// Its time was over, in its own code or in a host call.
    WallClock {
        /// The bound.
        limit: Duration,
    },
    /// It used up another bound that the host keeps.
    Budget {
        /// The bound's name, as in `spec.limits` of the manifest.
        name: &'static str,
        /// The bound, in the unit that the manifest's documentation gives.
        limit: u64,
    },
    /// It trapped: a bug in the plugin.
    Trap {
        /// wasmtime's words for the trap.
        what: String,
    },
    /// The host failed while it served the guest.
    Host {
        /// What failed.
        what: String,
    },
}

impl fmt::Display for StopReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory { limit } => write!(formatter, "it wanted more memory than its limit of {}", Bytes(*limit)),
            Self::Table { limit } => write!(formatter, "it wanted a table of more than {limit} entries"),
            Self::Processor { limit } => {
                write!(formatter, "it used more processor time than its limit of {}", Seconds(*limit))
            }
            Self::WallClock { limit } => write!(formatter, "it was not done within its timeout of {}", Seconds(*limit)),
            Self::Budget { name, limit } => write!(formatter, "it used up `{name}` (limit {limit})"),
            Self::Trap { what } => write!(formatter, "it trapped: {what}"),
            Self::Host { what } => write!(formatter, "the host failed while serving it: {what}"),
        }
    }
}

/// A guest that was stopped: the reason, where it was, and what it had used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// Why.
    pub reason: StopReason,
    /// The guest's functions that were running, innermost first; empty where names were stripped.
    pub functions: Vec<String>,
    /// What it had used.
    pub usage: Usage,
}

impl fmt::Display for Stop {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.reason)?;
        if let Some(function) = self.functions.first() {
            write!(formatter, " in `{function}`")?;
        }
        write!(
            formatter,
            " (it had used {} of memory, {} of processor time and {} in all)",
            Bytes(self.usage.peak_memory_bytes),
            Seconds(self.usage.processor),
            Seconds(self.usage.wall)
        )
    }
}

impl std::error::Error for Stop {}

impl Stop {
    /// Says why a guest's call failed. `known` is the bound that the guest hit, if it hit one: what
    /// follows a refused `memory.grow` is usually a trap of the guest's allocator.
    #[must_use]
    pub fn from_error(error: &wasmtime::Error, known: Option<&StopReason>, usage: Usage) -> Self {
        let reason = known.cloned().unwrap_or_else(|| match error.downcast_ref::<Trap>() {
            Some(trap) => StopReason::Trap { what: words(*trap) },
            None => StopReason::Host { what: format!("{:#}", Root(error)) },
        });
        Self { reason, functions: functions(error), usage }
    }
}

fn words(trap: Trap) -> String {
    match trap {
        Trap::UnreachableCodeReached => "it gave up (`unreachable`; for Rust a panic or an abort)".to_owned(),
        Trap::MemoryOutOfBounds => {
            "it accessed memory that it does not have (for Rust and C most often endless recursion)".to_owned()
        }
        Trap::StackOverflow => "its call stack overflowed (endless recursion?)".to_owned(),
        other => other.to_string(),
    }
}

fn functions(error: &wasmtime::Error) -> Vec<String> {
    let Some(backtrace) = error.downcast_ref::<WasmBacktrace>() else { return Vec::new() };
    backtrace
        .frames()
        .iter()
        .filter_map(|frame| frame.func_name())
        // The names of the panic machinery are the same for every panic.
        .filter(|name| !name.contains("rust_panic") && !name.contains("panicking") && !name.contains("abort"))
        .take(SHOWN_FRAMES)
        .map(wasmtime_demangle)
        .collect()
}

/// Names in component adapters are already plain; Rust's are demangled by the compiler's own scheme.
fn wasmtime_demangle(name: &str) -> String {
    rustc_demangle::try_demangle(name).map_or_else(|_| name.to_owned(), |name| format!("{name:#}"))
}

struct Root<'a>(&'a wasmtime::Error);

impl fmt::Display for Root<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}", self.0.root_cause())
    }
}

/// A number of bytes in the unit that people use for limits.
struct Bytes(usize);

impl fmt::Display for Bytes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            bytes if bytes < 10 << 10 => write!(formatter, "{bytes} B"),
            bytes if bytes < 10 << 20 => write!(formatter, "{} KiB", bytes >> 10),
            bytes => write!(formatter, "{} MiB", bytes >> 20),
        }
    }
}

/// A time in seconds, as short as it can be said.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs_f64();
        if self.0.subsec_nanos() == 0 { write!(formatter, "{seconds} s") } else { write!(formatter, "{seconds:.2} s") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_that_was_hit_explains_the_trap_that_followed() {
        let error = wasmtime::Error::from(Trap::UnreachableCodeReached);
        let usage =
            Usage { processor: Duration::from_millis(120), wall: Duration::from_secs(2), peak_memory_bytes: 64 << 20 };
        let stop = Stop::from_error(&error, Some(&StopReason::Memory { limit: 64 << 20 }), usage);
        assert_eq!(
            stop.to_string(),
            "it wanted more memory than its limit of 64 MiB \
             (it had used 64 MiB of memory, 0.12 s of processor time and 2 s in all)"
        );
    }

    #[test]
    fn a_trap_without_a_bound_is_the_plugins_bug() {
        let error = wasmtime::Error::from(Trap::IntegerDivisionByZero);
        let stop = Stop::from_error(&error, None, Usage::default());
        assert_eq!(stop.reason.to_string(), "it trapped: wasm trap: integer divide by zero");
    }
}
