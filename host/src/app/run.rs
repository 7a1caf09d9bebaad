//! A whole run: plugins are found and made ready, the cluster is opened, the plan is carried out.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use porthole_core::exit_code::ExitCode;
use porthole_core::limits::OperatorLimits;
use porthole_core::placement::NodeFacts;
use porthole_core::report::RunReport;
use porthole_core::resource::ResourceType;
use porthole_core::results::Mode;
use porthole_core::status::RunStatus;
use serde_json::Value;
use tokio::sync::watch;

use super::grants::{Book, GrantSource};
use super::prepare::{self, Settings};
use super::source::{ClusterSource, Opened};
use super::{AppError, bundled_candidates};
use crate::capability::WritePolicy;
use crate::causes::chain;
use crate::cluster::{Cluster, ListQuery};
use crate::engine::{Compiler, Engine, EngineOptions};
use crate::plugin::Loader;
use crate::registry::{self, Candidate, Discovered};
use crate::runs::tarball::Naming;
use crate::runs::{Board, Closing, FailureReason, Finished, Plan, Prepared, RunFolder, RunTerms, execute, finish};

/// What an operator asks for.
#[derive(Debug, Clone)]
pub struct RunRequest {
    /// Which cluster.
    pub source: ClusterSource,
    /// Plugins by name, file or folder; empty for all that are found.
    pub plugins: Vec<String>,
    /// Folders where plugins are looked for.
    pub search_path: Vec<PathBuf>,
    /// Whether the bundled plugins take part.
    pub bundled: bool,
    /// Where grants come from.
    pub grants: GrantSource,
    /// Settings by plugin.
    pub config: BTreeMap<String, Value>,
    /// Bounds for all plugins.
    pub limits: OperatorLimits,
    /// How long the run may take.
    pub timeout: Duration,
    /// Targets that run side by side.
    pub parallel: usize,
    /// What becomes of writes.
    pub writes: WritePolicy,
    /// How strict statuses are summed up.
    pub mode: Mode,
    /// Where runs keep their folders.
    pub state: PathBuf,
    /// Where compiled code is kept; `None` for nowhere.
    pub cache: Option<PathBuf>,
    /// Who compiles.
    pub compiler: Compiler,
    /// Where the tarball goes.
    pub folder: PathBuf,
    /// The tarball's name; `None` for one made of time and id.
    pub name: Option<String>,
    /// How it is named otherwise.
    pub naming: Naming,
}

/// What is known before the first plugin starts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prologue {
    /// The run's id.
    pub id: String,
    /// The cluster, in one line.
    pub cluster: String,
    /// What the operator should know, one line each: files that were not read, nodes that are left out.
    pub warnings: Vec<String>,
}

/// A run that is ready to go.
pub struct Running {
    prologue: Prologue,
    request: RunRequest,
    terms: RunTerms,
    folder: RunFolder,
    plugins: Vec<Prepared>,
    plan: Plan,
    cluster: Arc<dyn Cluster>,
    board: Arc<Board>,
    started: Timestamp,
    broken_files: bool,
}

/// A run that has ended.
#[derive(Debug)]
pub struct RunEnd {
    /// What was found.
    pub report: RunReport,
    /// The tarball.
    pub tarball: PathBuf,
    /// How the process should end.
    pub exit_code: ExitCode,
}

/// Prepares a run: everything that can be wrong with the request is found here.
///
/// # Errors
///
/// See [`AppError`]. A plugin that cannot be used is not an error: it becomes an error result.
pub async fn start(request: RunRequest) -> Result<Running, AppError> {
    let started = Timestamp::now();
    let book = Book::open(&request.grants)?;
    let (candidates, failures) = select(&request)?;
    if candidates.is_empty() && failures.is_empty() {
        return Err(AppError::usage("there is no plugin to run", "see `porthole plugin list`"));
    }
    let limits = porthole_core::limits::Limits::for_producer().overridden_by(&request.limits);
    let engine = Engine::start(EngineOptions {
        cache_directory: request.cache.clone(),
        compiler: request.compiler.clone(),
        compile_timeout: limits.compile_time,
        ..EngineOptions::default()
    })?;
    let loader = Loader::new(engine)?;
    let settings = Settings { config: request.config.clone(), limits: request.limits.clone() };
    let preparing = futures::future::join_all(
        candidates.into_iter().map(|candidate| prepare::prepare(&loader, candidate, &book, &settings)),
    );
    let (plugins, opened) = tokio::join!(preparing, request.source.open());
    let Opened { cluster, description, mut warnings } = opened?;
    let broken_files = !failures.is_empty();
    warnings.extend(failures);
    let nodes = nodes(&plugins, &*cluster).await;
    let plan = Plan::new(&plugins, &nodes);
    warnings.extend(plan.excluded.iter().map(|(plugin, node, why)| format!("`{plugin}` leaves out `{node}`: {why}")));
    let id = uuid::Uuid::new_v4().to_string();
    let runs = crate::runs::state_folder(&request.state);
    let folder = RunFolder::create(&runs, &id).map_err(|source| AppError::File { path: runs, source })?;
    let terms =
        RunTerms { id: id.clone(), timeout: request.timeout, parallel: request.parallel, writes: request.writes };
    let prologue = Prologue { id, cluster: description, warnings };
    let board = Arc::default();
    Ok(Running { prologue, request, terms, folder, plugins, plan, cluster, board, started, broken_files })
}

impl Running {
    /// Returns what is known before the first plugin starts.
    #[must_use]
    pub fn prologue(&self) -> &Prologue {
        &self.prologue
    }

    /// Returns the board on which the run's status can be watched.
    #[must_use]
    pub fn board(&self) -> Arc<Board> {
        Arc::clone(&self.board)
    }

    /// Carries the run out. `stop` turning true ends it early, with what is there.
    ///
    /// # Errors
    ///
    /// Fails only when the run's own files fail.
    pub async fn carry_out(self, stop: watch::Receiver<bool>) -> Result<RunEnd, AppError> {
        let status_file = self.folder.root().join("status.json");
        let keeping = keep_status(Arc::clone(&self.board), status_file.clone());
        let cluster = Arc::clone(&self.cluster);
        let executing = execute(&self.terms, &self.folder, &self.plugins, &self.plan, cluster, &self.board, stop);
        let finished = tokio::select! {
            finished = executing => finished?,
            never = keeping => match never {},
        };
        // The status of a run is about it, not in it: the tarball is Sonobuoy's layout.
        let board = Arc::clone(&self.board);
        let removed = std::fs::remove_file(&status_file);
        if let Err(error) =
            removed.or_else(|error| if error.kind() == std::io::ErrorKind::NotFound { Ok(()) } else { Err(error) })
        {
            return Err(AppError::File { path: status_file, source: error });
        }
        let ending = tokio::task::spawn_blocking(move || self.end(&finished));
        let end = ending.await.map_err(|error| crate::runs::RunError::Folder(error.to_string()))??;
        board.write(&status_file).map_err(|source| AppError::File { path: status_file, source })?;
        Ok(end)
    }

    fn end(&self, finished: &Finished) -> Result<RunEnd, AppError> {
        let closing = Closing {
            started: self.started,
            cluster: self.prologue.cluster.clone(),
            mode: self.request.mode,
            folder: &self.request.folder,
            name: self.request.name.clone(),
            naming: self.request.naming,
        };
        let (mut report, tarball) = finish(&self.terms, &self.folder, &self.plugins, finished, &self.board, &closing)?;
        let exit_code = exit_code(finished, &report, self.broken_files);
        report.run.exit_code = Some(exit_code.code());
        Ok(RunEnd { report, tarball, exit_code })
    }
}

/// Finds and selects plugins; returns those to run, and a line for each file that gave none.
fn select(request: &RunRequest) -> Result<(Vec<Candidate>, Vec<String>), AppError> {
    let mut discovered = Discovered::default();
    if request.bundled {
        for candidate in bundled_candidates().map_err(|error| AppError::Usage { message: chain(&error), hint: None })? {
            discovered.insert(candidate);
        }
    }
    for folder in &request.search_path {
        discovered.add_folder(folder);
    }
    let selected = registry::select(discovered, &request.plugins)?;
    let failures =
        selected.failures.iter().map(|failure| format!("{}: {}", failure.path.display(), chain(&failure.error)));
    let runnable = |candidate: &Candidate| candidate.manifest.producer.is_some();
    Ok((selected.plugins.into_iter().filter(runnable).collect(), failures.collect()))
}

/// Reads the nodes, if any plugin needs them.
async fn nodes(plugins: &[Prepared], cluster: &dyn Cluster) -> Result<Vec<NodeFacts>, String> {
    let mut facts = Vec::new();
    if !plugins.iter().any(Prepared::per_node) {
        return Ok(facts);
    }
    let nodes = ResourceType::new("", "v1", "nodes");
    let mut query = ListQuery { limit: Some(500), ..ListQuery::default() };
    loop {
        let page = cluster.list(&nodes, &query).await.map_err(|error| error.to_string())?;
        for node in &page.items {
            facts.push(NodeFacts::from_json(node.json()).map_err(|error| format!("`{}`: {error}", node.name()))?);
        }
        query.continue_token = page.continue_token;
        if query.continue_token.is_none() {
            return Ok(facts);
        }
    }
}

/// Writes the status once a second, for `porthole status` in another terminal.
async fn keep_status(board: Arc<Board>, path: PathBuf) -> std::convert::Infallible {
    let mut last: Option<RunStatus> = None;
    loop {
        let status = board.status();
        if last.as_ref() != Some(&status) {
            if let Err(error) = board.write(&path) {
                tracing::debug!(%error, "the status was not written");
            }
            last = Some(status);
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

fn exit_code(finished: &Finished, report: &RunReport, broken_files: bool) -> ExitCode {
    if finished.interrupted {
        return ExitCode::Interrupted;
    }
    let failures = finished.outcomes.iter().filter_map(|(_, outcome)| outcome.failure.as_ref());
    let (mut failed, mut host) = (broken_files, false);
    for failure in failures {
        failed = true;
        host |= failure.reason == FailureReason::Host;
    }
    match () {
        () if host => ExitCode::Internal,
        () if failed => ExitCode::PluginFailed,
        () => report.exit_code(),
    }
}
