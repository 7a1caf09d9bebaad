//! What one target of one plugin reports, kept within the plugin's bounds.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use porthole_core::limits::Limits;
use porthole_core::progress::{Progress, Update};
use porthole_core::results::processing::TYPED_ITEMS_FILE;
use porthole_core::results::{Report, Status};

use super::folder::{RunFolder, checked_path, create_new};
use super::log::RunLog;
use crate::imports::{
    LogLevel, LogLine, Placement, ProgressReport, ReportError, ReportFile, ReportedItem, ReportedStatus, Reporter,
};

/// Names in an item's path.
const PATH_NAMES: usize = 16;
/// Bytes of a name in an item's path.
const NAME_BYTES: usize = 1024;
/// Places at the tarball's root where a granted plugin may put files.
const CLUSTER_PLACES: [&str; 3] = ["resources", "hosts", "podlogs"];
/// Files at the tarball's root that a granted plugin may write.
const CLUSTER_FILES: [&str; 2] = ["serverversion.json", "servergroups.json"];

/// Called with the newest progress of a target.
pub(super) type OnProgress = Box<dyn Fn(&Progress) + Send + Sync>;

/// The reporter of one target.
pub(super) struct Collector {
    plugin: String,
    target: String,
    folder: RunFolder,
    results: PathBuf,
    limits: Limits,
    log: Arc<RunLog>,
    on_progress: OnProgress,
    state: Arc<Mutex<State>>,
}

struct State {
    items: Option<BufWriter<File>>,
    item_count: u64,
    files: u64,
    output_bytes: u64,
    log_lines: u64,
    dropped_lines: u64,
    progress: Progress,
}

impl Collector {
    /// Makes the folder of a target's results.
    ///
    /// # Errors
    ///
    /// Fails when the folder cannot be made.
    pub(super) fn create(
        folder: &RunFolder,
        plugin: &str,
        target: &str,
        limits: Limits,
        log: Arc<RunLog>,
        on_progress: OnProgress,
    ) -> io::Result<Self> {
        Ok(Self {
            results: folder.results(plugin, target)?,
            plugin: plugin.to_owned(),
            target: target.to_owned(),
            folder: folder.clone(),
            limits,
            log,
            on_progress,
            state: Arc::new(Mutex::new(State::new(plugin, target))),
        })
    }

    /// Returns the folder of the target's own results.
    #[must_use]
    pub(super) fn results_folder(&self) -> &Path {
        &self.results
    }

    /// Ends the call: what was reported is on the disk afterwards.
    ///
    /// # Errors
    ///
    /// Fails when the disk does.
    pub(super) fn close(&self) -> io::Result<()> {
        let mut state = self.state();
        if state.dropped_lines > 0 {
            let message = format!("{} more lines of the plugin's log were not kept", state.dropped_lines);
            let line = LogLine { level: LogLevel::Warn, message, fields: Vec::new() };
            self.log.plugin(&self.plugin, &self.target, &line);
        }
        state.items.as_mut().map_or(Ok(()), Write::flush)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    fn place(&self, placement: Placement, path: &str) -> Result<PathBuf, ReportError> {
        let checked = checked_path(path).map_err(|error| ReportError::InvalidPath(error.to_string()))?;
        match placement {
            Placement::Plugin if checked.ends_with(TYPED_ITEMS_FILE) => Err(ReportError::Exists(path.to_owned())),
            Placement::Plugin => Ok(self.results.join(checked)),
            Placement::Cluster => {
                let (place, below) = path.split_once('/').unwrap_or((path, ""));
                if CLUSTER_FILES.contains(&path) || (CLUSTER_PLACES.contains(&place) && !below.is_empty()) {
                    return Ok(self.folder.root().join(checked));
                }
                let places = CLUSTER_PLACES.join("/, ");
                let files = CLUSTER_FILES.join(", ");
                Err(ReportError::InvalidPath(format!("`{path}` is not below {places}/ nor one of {files}")))
            }
        }
    }
}

impl Reporter for Collector {
    fn log(&self, mut line: LogLine) {
        {
            let mut state = self.state();
            if state.log_lines >= self.limits.log_lines {
                state.dropped_lines += 1;
                return;
            }
            state.log_lines += 1;
        }
        let line_bytes = usize::try_from(self.limits.log_line).unwrap_or(usize::MAX);
        cut(&mut line.message, line_bytes);
        let mut room = line_bytes.saturating_sub(line.message.len());
        line.fields.retain_mut(|(key, value)| {
            cut(value, room.saturating_sub(key.len()));
            room = room.saturating_sub(key.len() + value.len());
            room > 0
        });
        self.log.plugin(&self.plugin, &self.target, &line);
    }

    fn progress(&self, report: ProgressReport) {
        let update = match report {
            ProgressReport::State { total, completed, message, failures, errors } => {
                Update { total, completed, message, failures, errors, ..Update::default() }
            }
            ProgressReport::Increment { completed, failures, total_grows, message } => Update {
                append_completed: completed,
                append_failing: failures,
                append_totals: total_grows,
                message,
                ..Update::default()
            },
        };
        let mut state = self.state();
        state.progress.apply(update, jiff::Timestamp::now().to_string());
        (self.on_progress)(&state.progress);
    }

    fn items(&self, items: Vec<ReportedItem>) -> Result<(), ReportError> {
        let mut lines = Vec::new();
        let count = length(items.len());
        for item in items {
            check_names(&item.path)?;
            let item =
                Report { path: item.path, status: status(item.status), details: item.details.into_iter().collect() };
            let before = lines.len();
            serde_json::to_writer(&mut lines, &item).map_err(|error| ReportError::InvalidDetails(error.to_string()))?;
            if length(lines.len() - before) > self.limits.item_details {
                return Err(ReportError::LimitExceeded { name: "itemDetails", value: self.limits.item_details });
            }
            lines.push(b'\n');
        }
        let mut state = self.state();
        if state.item_count.saturating_add(count) > self.limits.items {
            return Err(ReportError::LimitExceeded { name: "items", value: self.limits.items });
        }
        state.take_output(lines.len(), &self.limits)?;
        let file = match &mut state.items {
            Some(file) => file,
            empty => {
                let file = create_new(&self.results.join(TYPED_ITEMS_FILE)).map_err(|error| storage(&error))?;
                empty.insert(BufWriter::new(file))
            }
        };
        file.write_all(&lines).map_err(|error| storage(&error))?;
        state.item_count += count;
        Ok(())
    }

    fn create_file(
        &self,
        placement: Placement,
        path: &str,
        media_type: &str,
    ) -> Result<Box<dyn ReportFile>, ReportError> {
        let place = self.place(placement, path)?;
        let mut state = self.state();
        if state.files >= self.limits.files {
            return Err(ReportError::LimitExceeded { name: "files", value: self.limits.files });
        }
        let file = create_new(&place).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => ReportError::Exists(path.to_owned()),
            _ => storage(&error),
        })?;
        state.files += 1;
        tracing::debug!(plugin = self.plugin, target = self.target, path, media_type, "file");
        Ok(Box::new(CollectedFile {
            file: BufWriter::new(file),
            bytes: 0,
            limits: self.limits.clone(),
            state: Arc::clone(&self.state),
        }))
    }
}

/// A file that a guest is writing.
struct CollectedFile {
    file: BufWriter<File>,
    bytes: u64,
    limits: Limits,
    state: Arc<Mutex<State>>,
}

impl ReportFile for CollectedFile {
    fn write(&mut self, bytes: &[u8]) -> Result<(), ReportError> {
        let total = self.bytes.saturating_add(length(bytes.len()));
        if total > self.limits.output_file {
            return Err(ReportError::LimitExceeded { name: "outputFile", value: self.limits.output_file });
        }
        lock(&self.state).take_output(bytes.len(), &self.limits)?;
        self.file.write_all(bytes).map_err(|error| storage(&error))?;
        self.bytes = total;
        Ok(())
    }
}

impl State {
    fn new(plugin: &str, target: &str) -> Self {
        Self {
            items: None,
            item_count: 0,
            files: 0,
            output_bytes: 0,
            log_lines: 0,
            dropped_lines: 0,
            progress: Progress::new(plugin, target),
        }
    }

    /// Counts bytes of output, or refuses them all.
    fn take_output(&mut self, bytes: usize, limits: &Limits) -> Result<(), ReportError> {
        let total = self.output_bytes.saturating_add(length(bytes));
        if total > limits.output {
            return Err(ReportError::LimitExceeded { name: "output", value: limits.output });
        }
        self.output_bytes = total;
        Ok(())
    }
}

fn lock(state: &Mutex<State>) -> MutexGuard<'_, State> {
    // Counters and whole lines: true between any two statements.
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn check_names(path: &[String]) -> Result<(), ReportError> {
    if path.is_empty() || path.len() > PATH_NAMES {
        return Err(ReportError::InvalidPath(format!(
            "an item's path has {} names, not 1 to {PATH_NAMES}",
            path.len()
        )));
    }
    match path.iter().find(|name| name.is_empty() || name.len() > NAME_BYTES) {
        Some(name) => Err(ReportError::InvalidPath(format!("a name of {} bytes, not 1 to {NAME_BYTES}", name.len()))),
        None => Ok(()),
    }
}

fn status(status: ReportedStatus) -> Status {
    match status {
        ReportedStatus::Passed => Status::Passed,
        ReportedStatus::Failed => Status::Failed,
        ReportedStatus::Skipped => Status::Skipped,
        ReportedStatus::Unknown => Status::Unknown,
        ReportedStatus::Custom(word) => Status::from(word.as_str()),
    }
}

fn length(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

fn storage(error: &io::Error) -> ReportError {
    ReportError::Storage(error.to_string())
}

/// Cuts a text to `bytes` bytes, at a character's border.
fn cut(text: &mut String, bytes: usize) {
    if text.len() > bytes {
        text.truncate(text.floor_char_boundary(bytes));
    }
}
