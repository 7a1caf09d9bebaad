//! The audit: one record for every host call, whatever its outcome.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use porthole_core::audit::{AuditRecord, AuditSummary, Verdict};
use porthole_core::budget::BudgetExceeded;

use super::Gate;
use super::error::CapabilityError;

/// The records of a run: JSON lines in a file, and their sum in memory.
#[derive(Debug)]
pub struct AuditLog {
    started: Instant,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    sequence: u64,
    file: Option<BufWriter<File>>,
    failure: Option<String>,
    summary: AuditSummary,
}

/// The audit file could not be made or written.
#[derive(Debug, thiserror::Error)]
#[error("the audit could not be written: {0}")]
pub struct AuditError(String);

impl AuditLog {
    /// Makes the audit of a run; its file must not exist yet.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be made.
    pub fn create(path: &Path) -> Result<Self, AuditError> {
        let file = File::options()
            .append(true)
            .create_new(true)
            .open(path)
            .map_err(|error| AuditError(format!("{}: {error}", path.display())))?;
        Ok(Self::new(Some(BufWriter::new(file))))
    }

    /// Returns an audit that only sums, for tests and benchmarks.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::new(None)
    }

    fn new(file: Option<BufWriter<File>>) -> Self {
        let state = State { sequence: 0, file, failure: None, summary: AuditSummary::default() };
        Self { started: Instant::now(), state: Mutex::new(state) }
    }

    /// Returns the sum of all records so far.
    #[must_use]
    pub fn summary(&self) -> AuditSummary {
        self.state().summary.clone()
    }

    /// Brings all records to the disk.
    ///
    /// # Errors
    ///
    /// Fails when any record since the start could not be written: an audit with holes must be known.
    pub fn flush(&self) -> Result<(), AuditError> {
        let mut state = self.state();
        if let Some(failure) = &state.failure {
            return Err(AuditError(failure.clone()));
        }
        let Some(file) = &mut state.file else { return Ok(()) };
        file.flush().and_then(|()| file.get_ref().sync_data()).map_err(|error| AuditError(error.to_string()))
    }

    fn record(&self, mut record: AuditRecord) {
        let mut state = self.state();
        state.sequence += 1;
        record.sequence = state.sequence;
        state.summary.add(&record);
        let State { file: Some(file), failure, .. } = &mut *state else { return };
        if let Err(error) = write_line(file, &record) {
            failure.get_or_insert_with(|| error.to_string());
        }
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // Every field is whole between two statements.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn write_line(file: &mut BufWriter<File>, record: &AuditRecord) -> io::Result<()> {
    file.write_all(record.to_line()?.as_bytes())
}

/// A host call that is under way.
pub(super) struct Call<'a> {
    gate: &'a Gate,
    interface: &'static str,
    function: &'static str,
    access: String,
    started: Instant,
}

impl<'a> Call<'a> {
    pub(super) fn begin(gate: &'a Gate, interface: &'static str, function: &'static str, access: String) -> Self {
        Self { gate, interface, function, access, started: Instant::now() }
    }

    /// Writes the record of a finished call; `size` says how many objects and bytes were handed over.
    pub(super) fn finish<T>(
        self,
        result: Result<T, CapabilityError>,
        size: impl FnOnce(&T) -> (usize, usize),
    ) -> Result<T, CapabilityError> {
        match &result {
            Ok(value) => {
                let (objects, bytes) = size(value);
                self.allowed(objects, bytes);
            }
            Err(CapabilityError::Denied(denial)) => {
                let (denial, remedy) = &**denial;
                self.write(Verdict::Denied, denial.to_string(), remedy.clone(), (0, 0));
            }
            Err(CapabilityError::BudgetExceeded(exceeded)) => self.over_budget(exceeded),
            Err(error) => self.write(Verdict::Failed, error.to_string(), String::new(), (0, 0)),
        }
        result
    }

    pub(super) fn allowed(self, objects: usize, bytes: usize) {
        self.write(Verdict::Allowed, String::new(), String::new(), (objects, bytes));
    }

    pub(super) fn over_budget(self, exceeded: &BudgetExceeded) {
        self.write(Verdict::Budget, exceeded.to_string(), String::new(), (0, 0));
    }

    fn write(self, verdict: Verdict, error: String, remedy: String, (objects, bytes): (usize, usize)) {
        let audit = &self.gate.audit;
        let whole = |value: usize| u64::try_from(value).unwrap_or(u64::MAX);
        audit.record(AuditRecord {
            sequence: 0,
            offset: u64::try_from(audit.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            plugin: self.gate.plugin.clone(),
            target: self.gate.target.clone(),
            interface: self.interface.to_owned(),
            call: self.function.to_owned(),
            access: self.access,
            verdict,
            error,
            remedy,
            objects: whole(objects),
            bytes: whole(bytes),
            micros: u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX),
        });
    }
}
