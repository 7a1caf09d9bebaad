//! `porthole:plugin/log`.

use porthole_bindings::porthole::plugin::log::{Field, Host, Level};

use super::guest::Guest;
use super::report::{LogLevel, LogLine};

impl Host for Guest {
    async fn write(&mut self, level: Level, message: String, fields: Vec<Field>) -> wasmtime::Result<()> {
        self.host_call("log", "write")?;
        let level = match level {
            Level::Trace => LogLevel::Trace,
            Level::Debug => LogLevel::Debug,
            Level::Info => LogLevel::Info,
            Level::Warn => LogLevel::Warn,
            Level::Error => LogLevel::Error,
        };
        let fields = fields.into_iter().map(|field| (field.key, field.value)).collect();
        self.reporter().log(LogLine { level, message, fields });
        Ok(())
    }
}
