//! `porthole run`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use porthole_core::exit_code::ExitCode;
use porthole_core::limits::OperatorLimits;
use porthole_core::report::findings_table::findings_table;
use porthole_core::report::{RunReport, summary};
use porthole_core::results::Mode;
use serde_json::{Map, Value};
use tokio::sync::watch;

use super::error::CliError;
use super::options::{self, Output, ReportFormat, Setting};
use super::{paths, progress, terminal};
use crate::app::{self, ClusterSource, GrantSource, RunEnd, RunRequest};
use crate::capability::WritePolicy;
use crate::engine::Compiler;
use crate::runs::tarball::Naming;

/// Rows of the findings table without `--all-findings`: what fits on a screen or two.
const SHOWN_FINDINGS: usize = 40;
/// Targets that run side by side by default, at least.
const PARALLEL: usize = 2;

/// Options of `porthole run`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  porthole run                                     bundled plugins on your cluster, or on the bundled snapshot
  porthole run --snapshot dump.tar.gz              on a Sonobuoy tarball, a must-gather, a dump or manifests
  porthole run -p workload-checks -o json          one plugin, one JSON document
  porthole run -p ./my-check.wasm --grant-requested")]
pub(super) struct RunArguments {
    /// A dump to look at: Sonobuoy tarball, must-gather, `kubectl cluster-info dump`, or manifests
    #[arg(long, value_name = "FILE|DIR", conflicts_with_all = ["kubeconfig", "context", "use_bundled"])]
    snapshot: Option<PathBuf>,
    /// The kubeconfig of a live cluster
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,
    /// The context in the kubeconfig
    #[arg(long, value_name = "NAME")]
    context: Option<String>,
    /// Look at the bundled snapshot, even where a cluster is configured
    #[arg(long = "bundled", conflicts_with = "context")]
    use_bundled: bool,
    /// Run only these plugins: a name, a `.wasm` or YAML file, or a folder; `name@newname` renames
    #[arg(short, long = "plugin", value_name = "PLUGIN")]
    plugins: Vec<String>,
    /// Look for plugins here, instead of the usual folders
    #[arg(long, value_name = "DIR")]
    plugin_dir: Vec<PathBuf>,
    /// Leave the bundled plugins out
    #[arg(long)]
    no_bundled_plugins: bool,
    /// What plugins are granted: a grants file; the first that names a plugin decides
    #[arg(long, value_name = "FILE")]
    grants: Vec<PathBuf>,
    /// Grant every plugin exactly what it asks for
    #[arg(long)]
    grant_requested: bool,
    /// A setting of a plugin, as PLUGIN.KEY=VALUE
    #[arg(long = "config", value_name = "SETTING", value_parser = options::setting)]
    settings: Vec<Setting>,
    /// Settings of plugins: a YAML file with a map of settings per plugin
    #[arg(long, value_name = "FILE")]
    config_file: Option<PathBuf>,
    /// A bound for every plugin, as NAME=VALUE (memory=64Mi, cpu=2s, timeout=1m, ...)
    #[arg(long = "limit", value_name = "BOUND", value_parser = options::limit)]
    limits: Vec<(String, String)>,
    /// How long the run may take; running plugins get a minute more to finish
    #[arg(long, value_name = "TIME", default_value = "1h", value_parser = options::duration)]
    timeout: Duration,
    /// How many plugins and nodes are worked on at once [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    parallel: Option<u16>,
    /// Check and record writes, and do not make them
    #[arg(long)]
    dry_run: bool,
    /// Sum statuses up as Sonobuoy does, also where that is falsely green
    #[arg(long)]
    sonobuoy_compat: bool,
    /// What to print, as FORMAT or FORMAT=FILE; several are possible
    #[arg(short, long = "output", value_name = "FORMAT", default_value = "table", value_parser = options::output)]
    outputs: Vec<Output>,
    /// Show every finding in the table
    #[arg(long)]
    all_findings: bool,
    /// Where the tarball goes
    #[arg(long, value_name = "DIR", default_value = ".")]
    dir: PathBuf,
    /// The tarball's name [default: made of time and run id]
    #[arg(long, value_name = "NAME")]
    filename: Option<String>,
    /// Where compiled plugins are kept
    #[arg(long, value_name = "DIR")]
    cache_dir: Option<PathBuf>,
}

/// Runs plugins and prints what they found.
pub(super) async fn run(arguments: RunArguments) -> Result<ExitCode, CliError> {
    let (outputs, all_findings) = (arguments.outputs.clone(), arguments.all_findings);
    let running = app::start(request(arguments)?).await?;
    let prologue = running.prologue().clone();
    for warning in &prologue.warnings {
        terminal::say(&format!("{}: {warning}\n", terminal::warning_word()));
    }
    let stop = stop_on_interrupt();
    let shown = progress::show(&prologue, running.board());
    let end = running.carry_out(stop).await;
    shown.end().await;
    let end = end?;
    for output in &outputs {
        print(output, &end, all_findings)?;
    }
    terminal::say(&format!("tarball: {}\n", end.tarball.display()));
    Ok(end.exit_code)
}

fn request(arguments: RunArguments) -> Result<RunRequest, CliError> {
    let source = match (arguments.snapshot, arguments.use_bundled) {
        (Some(path), _) => ClusterSource::Snapshot(path),
        (None, true) => ClusterSource::Bundled,
        (None, false) => live_or_bundled(arguments.kubeconfig, arguments.context),
    };
    let mut grants = arguments.grants;
    grants.extend(paths::grants());
    let cores = std::thread::available_parallelism().map_or(PARALLEL, std::num::NonZero::get);
    let search_path = if arguments.plugin_dir.is_empty() { paths::plugin_search_path() } else { arguments.plugin_dir };
    let program = std::env::current_exe()
        .map_err(|error| CliError::internal(format!("this program's own file is not known: {error}")))?;
    if let Some(name) = arguments.filename.as_deref().filter(|name| name.is_empty() || name.contains('/')) {
        let hint = "name the folder with `--dir`".to_owned();
        return Err(CliError::usage(anyhow::anyhow!("`{name}` is not a file's name"), Some(hint)));
    }
    Ok(RunRequest {
        source,
        plugins: arguments.plugins,
        search_path,
        bundled: !arguments.no_bundled_plugins,
        grants: GrantSource { files: grants, requested: arguments.grant_requested },
        config: config(arguments.config_file, arguments.settings)?,
        limits: limits(arguments.limits)?,
        timeout: arguments.timeout,
        parallel: arguments.parallel.map_or(cores.max(PARALLEL), usize::from),
        writes: if arguments.dry_run { WritePolicy::Record } else { WritePolicy::Send },
        mode: if arguments.sonobuoy_compat { Mode::SonobuoyCompat } else { Mode::Strict },
        state: paths::state()?,
        cache: Some(arguments.cache_dir.map_or_else(paths::cache, Ok)?),
        compiler: Compiler::Child(program),
        folder: arguments.dir,
        name: arguments.filename,
        naming: if arguments.sonobuoy_compat { Naming::Sonobuoy } else { Naming::Porthole },
    })
}

/// A cluster that is configured is meant; without one the bundled snapshot shows what a run is.
fn live_or_bundled(kubeconfig: Option<PathBuf>, context: Option<String>) -> ClusterSource {
    let variable = std::env::var_os("KUBECONFIG").filter(|value| !value.is_empty());
    let in_cluster = std::env::var_os("KUBERNETES_SERVICE_HOST").is_some();
    let named = kubeconfig.is_some() || context.is_some() || variable.is_some();
    if named || in_cluster || paths::kubeconfig().is_some() {
        return ClusterSource::Live { kubeconfig, variable, home: paths::home(), context };
    }
    ClusterSource::Bundled
}

fn config(file: Option<PathBuf>, settings: Vec<Setting>) -> Result<BTreeMap<String, Value>, CliError> {
    let mut config = BTreeMap::new();
    if let Some(path) = file {
        let wrong = |error: anyhow::Error| {
            let hint =
                "it is a map of settings per plugin, for instance\nworkload-checks:\n  checks: { image-tag: off }";
            CliError::usage(
                error.context(format!("the settings in `{}` cannot be read", path.display())),
                Some(hint.to_owned()),
            )
        };
        let text = std::fs::read_to_string(&path).map_err(|error| wrong(error.into()))?;
        config = serde_yaml::from_str(&text).map_err(|error| wrong(error.into()))?;
    }
    for Setting { plugin, value } in settings {
        options::overlay(config.entry(plugin).or_insert_with(|| Value::Object(Map::new())), value);
    }
    Ok(config)
}

fn limits(limits: Vec<(String, String)>) -> Result<OperatorLimits, CliError> {
    let map: Map<String, Value> = limits.into_iter().map(|(name, value)| (name, Value::String(value))).collect();
    serde_json::from_value(Value::Object(map)).map_err(|error| {
        let hint = format!("the bounds are {}", OperatorLimits::NAMES.join(", "));
        CliError::usage(anyhow::anyhow!("`--limit`: {error}"), Some(hint))
    })
}

/// Returns what turns true at the first Ctrl-C or SIGTERM; at the second the process ends at once.
fn stop_on_interrupt() -> watch::Receiver<bool> {
    let (sender, receiver) = watch::channel(false);
    tokio::spawn(async move {
        interrupted().await;
        terminal::say("\nstopping: keeping what is there (press Ctrl-C again to leave at once)\n");
        // A run that is over has nobody to tell.
        let _ = sender.send(true);
        interrupted().await;
        std::process::exit(ExitCode::Interrupted.code().into());
    });
    receiver
}

async fn interrupted() {
    let terminated = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate());
    match terminated {
        Ok(mut terminated) => {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminated.recv() => {}
            }
        }
        Err(_) => {
            let _ = tokio::signal::ctrl_c().await;
        }
    }
}

fn print(output: &Output, end: &RunEnd, all_findings: bool) -> Result<(), CliError> {
    let text = match output.format {
        ReportFormat::Json => json(&end.report)?,
        ReportFormat::Table => table(&end.report, all_findings),
    };
    let written = match &output.file {
        Some(path) => std::fs::write(path, anstream::adapter::strip_str(&text).to_string())
            .map_err(|error| format!("`{}`: {error}", path.display())),
        None => terminal::put(&text).map_err(|error| format!("standard output: {error}")),
    };
    written.map_err(|what| CliError::internal(format!("the report could not be written to {what}")))
}

fn json(report: &RunReport) -> Result<String, CliError> {
    let text = serde_json::to_string_pretty(report);
    text.map(|text| text + "\n")
        .map_err(|error| CliError::internal(format!("the report could not be written: {error}")))
}

fn table(report: &RunReport, all_findings: bool) -> String {
    let rows = if all_findings { usize::MAX } else { SHOWN_FINDINGS };
    let mut lines = findings_table(&report.findings(), terminal::width(), rows);
    if !lines.is_empty() {
        lines.push(Vec::new());
    }
    lines.extend(summary::summary(&report.plugins));
    terminal::styled(&lines)
}
