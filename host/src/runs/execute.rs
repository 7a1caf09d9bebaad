//! The run itself: groups in order, targets side by side, each with its deadline.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::StreamExt;
use futures::stream;
use porthole_core::grant::{Access, Decision, Scope, Verb, Window};
use tokio::sync::watch;

use super::board::Board;
use super::folder::RunFolder;
use super::log::RunLog;
use super::outcome::{Failure, FailureReason, TargetOutcome};
use super::plan::{GLOBAL, Plan, PlannedTarget};
use super::target::{self, Shared};
use super::view::{SharedView, Whole};
use super::{Prepared, RunError};
use crate::capability::{AuditLog, WritePolicy};
use crate::cluster::Cluster;
use crate::imports::LogLevel;

/// What running plugins get to finish after the run's deadline. No new target starts in it.
pub const GRACE: Duration = Duration::from_secs(60);

/// The terms of a run.
#[derive(Debug, Clone)]
pub struct RunTerms {
    /// Its id, a UUID.
    pub id: String,
    /// How long it may take in all, without [`GRACE`].
    pub timeout: Duration,
    /// Targets that run side by side; at least one.
    pub parallel: usize,
    /// What becomes of writes.
    pub writes: WritePolicy,
}

/// A run that has ended; its results are in its folder.
pub struct Finished {
    /// How each target ended, in the order of the plan.
    pub outcomes: Vec<(PlannedTarget, TargetOutcome)>,
    /// Whether the operator stopped it.
    pub interrupted: bool,
    /// Its audit.
    pub audit: Arc<AuditLog>,
    /// Its log.
    pub log: Arc<RunLog>,
    /// Wall clock from start to end.
    pub duration: Duration,
}

/// Runs `plan` and returns when every target has a result or an error result.
///
/// `stop` turning true stops running guests at once and starts no more; what was reported stays.
///
/// # Errors
///
/// Fails only when the run's own files cannot be written. A plugin's failure is that plugin's outcome.
pub async fn execute(
    terms: &RunTerms,
    folder: &RunFolder,
    plugins: &[Prepared],
    plan: &Plan,
    cluster: Arc<dyn Cluster>,
    board: &Arc<Board>,
    stop: watch::Receiver<bool>,
) -> Result<Finished, RunError> {
    let started = Instant::now();
    let failed = |what: &str, error: &dyn std::error::Error| RunError::Folder(format!("{what}: {error}"));
    let log = RunLog::create(&folder.meta("run.log")).map_err(|error| failed("run.log", &error))?;
    let audit = AuditLog::create(&folder.meta("audit.jsonl")).map_err(|error| failed("audit.jsonl", &error))?;
    let (log, audit) = (Arc::new(log), Arc::new(audit));
    let view = SharedView::new(Arc::clone(&cluster), folder.root().to_owned(), listed_whole(plugins));
    let shared = Shared {
        run_id: terms.id.clone(),
        folder: folder.clone(),
        log: Arc::clone(&log),
        audit: Arc::clone(&audit),
        view: Arc::new(view),
        cluster,
        writes: terms.writes,
    };
    let run = Run { terms, plugins, shared, board, stop, deadline: started + terms.timeout };
    for planned in plan.targets() {
        board.expect(plugins[planned.plugin].name(), &planned.target);
    }
    let mut outcomes = run.without_target(plan)?;
    let mut next = 0;
    for group in &plan.groups {
        let targets = group.iter().enumerate().map(|(offset, planned)| run.one(next + offset, planned));
        let mut done: Vec<_> = stream::iter(targets).buffer_unordered(terms.parallel.max(1)).collect().await;
        done.sort_by_key(|(index, _, _)| *index);
        for (_, planned, outcome) in done {
            outcomes.push((planned, outcome?));
        }
        next += group.len();
    }
    audit.flush().map_err(|error| RunError::Folder(error.to_string()))?;
    log.flush().map_err(|error| failed("run.log", &error))?;
    let interrupted = *run.stop.borrow();
    Ok(Finished { outcomes, interrupted, audit, log, duration: started.elapsed() })
}

struct Run<'a> {
    terms: &'a RunTerms,
    plugins: &'a [Prepared],
    shared: Shared,
    board: &'a Arc<Board>,
    stop: watch::Receiver<bool>,
    deadline: Instant,
}

impl Run<'_> {
    /// Gives plugins that have nothing to run on their error result.
    fn without_target(&self, plan: &Plan) -> Result<Vec<(PlannedTarget, TargetOutcome)>, RunError> {
        let mut outcomes = Vec::new();
        for (name, reason) in &plan.without_target {
            let Some(plugin) = self.plugins.iter().position(|plugin| plugin.name() == name) else { continue };
            let outcome = TargetOutcome::failed(FailureReason::NoTarget, reason.clone());
            self.keep(name, GLOBAL, &outcome)?;
            outcomes.push((PlannedTarget { plugin, target: GLOBAL.to_owned() }, outcome));
        }
        Ok(outcomes)
    }

    /// Runs one target, or says why it was not run.
    async fn one(
        &self,
        index: usize,
        planned: &PlannedTarget,
    ) -> (usize, PlannedTarget, Result<TargetOutcome, RunError>) {
        let plugin = &self.plugins[planned.plugin];
        let outcome = self.outcome(index, plugin, &planned.target).await;
        let kept = self.keep(plugin.name(), &planned.target, &outcome);
        self.board.finished(index, outcome.failure.as_ref().map(|failure| failure.message.clone()));
        (index, planned.clone(), kept.map(|()| outcome))
    }

    async fn outcome(&self, index: usize, plugin: &Prepared, target: &str) -> TargetOutcome {
        let mut stop = self.stop.clone();
        if *stop.borrow() {
            return TargetOutcome::failed(FailureReason::Interrupted, "not started: the run was interrupted");
        }
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            let limit = self.terms.timeout.as_secs_f64();
            let reason = format!("not started: the run's timeout of {limit} s had passed");
            return TargetOutcome::failed(FailureReason::Timeout, reason);
        }
        let time = plugin.limits.timeout.min(left + GRACE);
        let board = Arc::clone(self.board);
        let on_progress = Box::new(move |progress: &_| board.progress(index, progress));
        let started = Instant::now();
        tokio::select! {
            outcome = target::run(&self.shared, plugin, target, time, on_progress) => outcome,
            _ = stop.wait_for(|stop| *stop) => {
                TargetOutcome::failed(FailureReason::Interrupted, "the run was interrupted").after(started.elapsed())
            }
        }
    }

    /// Writes what is to be said about a target besides its own results.
    fn keep(&self, plugin: &str, target: &str, outcome: &TargetOutcome) -> Result<(), RunError> {
        let Some(failure) = &outcome.failure else {
            let seconds = outcome.duration.as_secs_f64();
            self.shared.log.host(LogLevel::Info, &format!("{plugin} on {target}: done in {seconds:.2} s"));
            return Ok(());
        };
        let Failure { reason, message, .. } = failure;
        self.shared.log.host(LogLevel::Error, &format!("{plugin} on {target}: {}: {message}", reason.word()));
        self.shared
            .folder
            .write_error(plugin, target, &failure.document(outcome.usage))
            .map_err(|error| RunError::Folder(format!("the error result of {plugin} on {target}: {error}")))
    }
}

/// Says of a kind whether some plugin may list it in all namespaces.
fn listed_whole(plugins: &[Prepared]) -> Whole {
    let windows: Vec<Window> = plugins.iter().map(|plugin| plugin.window.clone()).collect();
    Box::new(move |kind| {
        let access = Access {
            verb: Verb::List,
            group: kind.group.clone(),
            resource: kind.resource.clone(),
            subresource: None,
            scope: Scope::AllNamespaces,
            name: None,
        };
        windows.iter().any(|window| matches!(window.decide(&access), Decision::Allowed { .. }))
    })
}

/// Returns the folder below which runs keep their state.
#[must_use]
pub fn state_folder(home: &Path) -> std::path::PathBuf {
    home.join("runs")
}
