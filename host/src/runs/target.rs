//! One target: a guest with its own door, bounds and folder, from its start to its outcome.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use porthole_core::budget::Meter;

use super::collector::{Collector, OnProgress};
use super::done_file::{self, DoneFile};
use super::folder::RunFolder;
use super::log::RunLog;
use super::outcome::{FailureReason, TargetOutcome};
use super::plan::GLOBAL;
use super::prepared::{Prepared, Program};
use crate::capability::{AuditLog, Gate, GateSettings, WritePolicy};
use crate::cluster::Cluster;
use crate::engine::{BoundedOutput, Bounds};
use crate::imports::{CallContext, Folder, FolderAccess, GuestSettings};
use crate::plugin::{CallOutcome, CallReport};

/// Bytes of standard output, and of standard error, that are kept of one guest. A guest that prints for
/// ever would fill the memory.
const STREAM_BYTES: usize = 1 << 20;
/// Where a plain program finds the folder for its results.
const GUEST_RESULTS: &str = "/tmp/porthole/results";
/// How often the folder of a plain program is measured: WASI itself has no quota, so between two looks a
/// program can write what the disk takes in this time and no more.
const MEASURE_PERIOD: Duration = Duration::from_millis(100);

/// What all targets of a run share.
pub(super) struct Shared {
    pub(super) run_id: String,
    pub(super) folder: RunFolder,
    pub(super) log: Arc<RunLog>,
    pub(super) audit: Arc<AuditLog>,
    pub(super) view: Arc<dyn Cluster>,
    pub(super) cluster: Arc<dyn Cluster>,
    pub(super) writes: WritePolicy,
}

/// Runs one target within `time` and returns how it ended; everything it reported is on disk then.
pub(super) async fn run(
    shared: &Shared,
    plugin: &Prepared,
    target: &str,
    time: Duration,
    on_progress: OnProgress,
) -> TargetOutcome {
    let started = Instant::now();
    let program = match &plugin.program {
        Ok(program) => program.clone(),
        Err(reason) => return TargetOutcome::failed(FailureReason::Refused, reason.clone()),
    };
    let (folder, limits, log) = (&shared.folder, plugin.limits.clone(), Arc::clone(&shared.log));
    let collector = match Collector::create(folder, plugin.name(), target, limits, log, on_progress) {
        Ok(collector) => Arc::new(collector),
        Err(error) => {
            return TargetOutcome::failed(FailureReason::Host, format!("its results cannot be kept: {error}"));
        }
    };
    let settings = guest(shared, plugin, target, time, Arc::clone(&collector));
    let report = match program {
        Program::Producer(producer) => producer.produce(settings).await,
        Program::Command(command) => {
            let settings = with_results_folder(settings, plugin, target, collector.results_folder());
            tokio::select! {
                report = command.run(settings) => report,
                what = too_much(collector.results_folder(), plugin.limits.output, plugin.limits.files) => {
                    return TargetOutcome::failed(FailureReason::Limit, what).after(started.elapsed());
                }
            }
        }
    };
    keep_streams(&collector, &report);
    let outcome = TargetOutcome::from_call(&report).after(started.elapsed());
    if let Err(error) = collector.close() {
        return TargetOutcome::failed(FailureReason::Host, format!("its results could not be kept: {error}"));
    }
    match done_file::take(collector.results_folder(), GUEST_RESULTS) {
        Ok(DoneFile::Missing(path)) if outcome.is_complete() => {
            TargetOutcome::failed(FailureReason::Failed, format!("its `done` file names `{path}`, which is not there"))
        }
        Ok(DoneFile::None | DoneFile::Kept | DoneFile::Missing(_)) => outcome,
        Err(error) => TargetOutcome::failed(FailureReason::Host, format!("its `done` file: {error}")),
    }
}

fn guest(shared: &Shared, plugin: &Prepared, target: &str, time: Duration, collector: Arc<Collector>) -> GuestSettings {
    let limits = &plugin.limits;
    let memory = usize::try_from(limits.memory).unwrap_or(usize::MAX);
    let gate = Gate::new(GateSettings {
        plugin: plugin.name().to_owned(),
        target: target.to_owned(),
        window: plugin.window.clone(),
        meter: Meter::new(limits.clone()),
        shared: Arc::clone(&shared.view),
        cluster: Arc::clone(&shared.cluster),
        writes: shared.writes,
        audit: Arc::clone(&shared.audit),
    });
    GuestSettings {
        gate: Arc::new(gate),
        reporter: collector,
        config: plugin.config.clone(),
        context: CallContext {
            run_id: shared.run_id.clone(),
            node_name: (target != GLOBAL || plugin.per_node()).then(|| target.to_owned()),
            time_left: time,
            attempt: 1,
            idempotency_key: format!("{}/{}/{target}", shared.run_id, plugin.name()),
            dry_run: shared.writes == WritePolicy::Record,
        },
        bounds: Bounds::new(memory, limits.cpu, time),
        resources: usize::try_from(limits.resources).unwrap_or(usize::MAX),
        stdout: BoundedOutput::new(STREAM_BYTES),
        stderr: BoundedOutput::new(STREAM_BYTES),
        environment: plugin.environment.clone(),
        arguments: vec![plugin.name().to_owned()],
        folders: plugin.folders.clone(),
    }
}

/// Gives a plain program what Sonobuoy's contract with plugins promises.
fn with_results_folder(mut settings: GuestSettings, plugin: &Prepared, target: &str, results: &Path) -> GuestSettings {
    let producer = plugin.producer();
    settings.arguments.extend(producer.args);
    for (name, value) in producer.env {
        settings.environment.retain(|(known, _)| *known != name);
        settings.environment.push((name, value));
    }
    for name in ["RESULTS_DIR", "SONOBUOY_RESULTS_DIR"] {
        settings.environment.push((name.to_owned(), GUEST_RESULTS.to_owned()));
    }
    settings.environment.push(("SONOBUOY".to_owned(), "true".to_owned()));
    if plugin.per_node() {
        settings.environment.push(("NODE_NAME".to_owned(), target.to_owned()));
    }
    settings.folders.push(Folder {
        host_path: results.to_owned(),
        guest_path: GUEST_RESULTS.to_owned(),
        access: FolderAccess::Write,
    });
    settings
}

/// Ends when the folder holds more than a plugin may report, and says so.
async fn too_much(folder: &Path, bytes: u64, files: u64) -> String {
    loop {
        tokio::time::sleep(MEASURE_PERIOD).await;
        let path = folder.to_owned();
        let (held, number) = tokio::task::spawn_blocking(move || measure(&path)).await.unwrap_or_default();
        if held > bytes {
            return format!("it wrote more than its limit `output` of {bytes} bytes");
        }
        if number > files {
            return format!("it made more files than its limit `files` of {files}");
        }
    }
}

/// Returns the bytes and the number of files below a folder; links are not followed.
fn measure(folder: &Path) -> (u64, u64) {
    let Ok(entries) = std::fs::read_dir(folder) else { return (0, 0) };
    entries.flatten().fold((0, 0), |(bytes, files), entry| {
        let (more, number) = match entry.metadata() {
            Ok(metadata) if metadata.is_dir() => measure(&entry.path()),
            Ok(metadata) => (metadata.len(), 1),
            Err(_) => (0, 0),
        };
        (bytes + more, files + number)
    })
}

/// Keeps what the guest printed, as lines of the run's log.
fn keep_streams(collector: &Collector, report: &CallReport) {
    use crate::imports::{LogLevel, LogLine, Reporter as _};
    for (stream, text, level) in [
        ("stdout", &report.stdout, LogLevel::Debug),
        ("stderr", &report.stderr, if report.outcome == CallOutcome::Done { LogLevel::Debug } else { LogLevel::Error }),
    ] {
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            let fields = vec![("stream".to_owned(), stream.to_owned())];
            collector.log(LogLine { level, message: line.to_owned(), fields });
        }
    }
}
