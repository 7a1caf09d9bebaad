//! `porthole status`.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use clap::Args;
use porthole_core::exit_code::ExitCode;
use porthole_core::status::{Layout, RunStatus, TargetPhase, table};

use super::error::CliError;
use super::{paths, terminal};

/// Options of `porthole status`; the names are Sonobuoy's.
#[derive(Debug, Args)]
pub(super) struct StatusArguments {
    /// The run's id, or the beginning of it [default: the newest run]
    run: Option<String>,
    /// A line per node and plugin
    #[arg(long)]
    show_all: bool,
    /// One JSON document with Sonobuoy's keys
    #[arg(long)]
    json: bool,
    /// How to print it; `json` is the same as `--json`
    #[arg(short, long, value_enum, default_value = "text")]
    output: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A table
    Text,
    /// One JSON document
    Json,
}

/// Shows how far a run has come. The exit code is 3 when a plugin could not be run to its end.
pub(super) fn run(arguments: &StatusArguments) -> Result<ExitCode, CliError> {
    let runs = crate::runs::state_folder(&paths::state()?);
    let file = find(&runs, arguments.run.as_deref())?.join("status.json");
    let read = fs::read(&file).map_err(anyhow::Error::from);
    let status: RunStatus = read
        .and_then(|text| serde_json::from_slice(&text).map_err(anyhow::Error::from))
        .map_err(|error| CliError::usage(error.context(format!("`{}` cannot be read", file.display())), None))?;
    let text = if arguments.json || arguments.output == Format::Json {
        serde_json::to_string_pretty(&status)
            .map(|text| text + "\n")
            .map_err(|error| CliError::internal(error.to_string()))?
    } else {
        table(&status, if arguments.show_all { Layout::All } else { Layout::Summary })
    };
    terminal::put(&text).map_err(|error| CliError::internal(format!("standard output: {error}")))?;
    let failed = status.plugins.iter().any(|entry| entry.status == TargetPhase::Failed);
    let findings =
        status.plugins.iter().any(|entry| entry.result_counts.as_ref().is_some_and(|counts| counts.failures() > 0));
    Ok(match (failed, findings) {
        (true, _) => ExitCode::PluginFailed,
        (false, true) => ExitCode::Findings,
        (false, false) => ExitCode::Passed,
    })
}

/// Finds a run's folder by the beginning of its id, or the newest one.
fn find(runs: &Path, id: Option<&str>) -> Result<PathBuf, CliError> {
    let changed =
        |path: &Path| path.metadata().and_then(|metadata| metadata.modified()).unwrap_or(SystemTime::UNIX_EPOCH);
    let mut folders: Vec<PathBuf> = fs::read_dir(runs)
        .map(|entries| entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect())
        .unwrap_or_default();
    folders.sort_by_key(|path| std::cmp::Reverse(changed(path)));
    let name = |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let mut matching = folders.iter().filter(|path| id.is_none_or(|id| name(path).starts_with(id)));
    let found = matching.next().ok_or_else(|| {
        let known: Vec<_> = folders.iter().take(5).map(name).collect();
        let hint = if known.is_empty() {
            "start one: porthole run".to_owned()
        } else {
            format!("the newest runs are\n{}", known.join("\n"))
        };
        CliError::usage(anyhow::anyhow!("there is no such run in `{}`", runs.display()), Some(hint))
    })?;
    match (id, matching.next()) {
        (Some(id), Some(other)) => {
            let error = anyhow::anyhow!("`{id}` is the beginning of several runs");
            Err(CliError::usage(error, Some(format!("they are\n{}\n{}", name(found), name(other)))))
        }
        _ => Ok(found.clone()),
    }
}
