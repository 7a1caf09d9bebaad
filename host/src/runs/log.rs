//! The log of a run: `meta/run.log`, JSON lines with Sonobuoy's keys.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value};

use crate::imports::{LogLevel, LogLine};

/// The log of a run. Lines of all plugins and of the host, in the order in which they came.
#[derive(Debug)]
pub struct RunLog {
    file: Mutex<BufWriter<File>>,
}

impl RunLog {
    /// Makes the log's file.
    ///
    /// # Errors
    ///
    /// Fails when it exists or cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self { file: Mutex::new(BufWriter::new(File::options().append(true).create_new(true).open(path)?)) })
    }

    /// Writes a line of the host.
    pub fn host(&self, level: LogLevel, message: &str) {
        tracing::info!("{message}");
        self.write(Map::new(), &LogLine { level, message: message.to_owned(), fields: Vec::new() });
    }

    /// Writes a line of a plugin.
    pub fn plugin(&self, plugin: &str, target: &str, line: &LogLine) {
        let fields: Vec<_> = line.fields.iter().map(|(key, value)| format!("{key}={value:?}")).collect();
        tracing::info!(plugin, target, level = ?line.level, "{} {}", line.message, fields.join(" "));
        let names = [("plugin", plugin), ("target", target)];
        self.write(names.into_iter().map(|(key, value)| (key.to_owned(), Value::from(value))).collect(), line);
    }

    /// Brings all lines to the disk.
    ///
    /// # Errors
    ///
    /// Fails when the disk does.
    pub fn flush(&self) -> io::Result<()> {
        self.file().flush()
    }

    fn write(&self, mut record: Map<String, Value>, line: &LogLine) {
        record.insert("time".to_owned(), Value::from(jiff::Timestamp::now().to_string()));
        record.insert("level".to_owned(), serde_json::to_value(line.level).unwrap_or_default());
        record.insert("msg".to_owned(), Value::from(line.message.as_str()));
        for (key, value) in &line.fields {
            // A plugin's field never replaces the host's own words.
            record.entry(key.as_str()).or_insert_with(|| Value::from(value.as_str()));
        }
        let mut file = self.file();
        // A log that cannot be written must not end a run; the tarball's own write will say why.
        let _ =
            serde_json::to_writer(&mut *file, &record).map_err(io::Error::from).and_then(|()| file.write_all(b"\n"));
    }

    fn file(&self) -> std::sync::MutexGuard<'_, BufWriter<File>> {
        // A half-written line is the worst that a lost thread leaves.
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
