//! `porthole results`.

use std::io;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use porthole_core::exit_code::ExitCode;
use porthole_core::results::{Counts, Item, Mode};

use super::error::CliError;
use super::terminal;
use crate::runs::archive::{OutputMode, Prefix, ResultsError, RunArchive, Selection};

/// Options of `porthole results`; the names are Sonobuoy's.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  porthole results 202611202200_porthole_*.tar.gz
  porthole results run.tar.gz -p e2e -m detailed
  porthole results run.tar.gz -o json | jq '.items[] | {name, status}'")]
pub(super) struct ResultsArguments {
    /// A run's tarball or folder, also Sonobuoy's
    path: PathBuf,
    /// Only this plugin
    #[arg(short, long, value_name = "NAME")]
    plugin: Option<String>,
    /// How much to show
    #[arg(short, long, value_enum, default_value = "report")]
    mode: Shown,
    /// Only this node (of plugins that run per node)
    #[arg(short, long, value_name = "NODE")]
    node: Option<String>,
    /// With `detailed`: print lines of files as they are
    #[arg(short, long)]
    skip_prefix: bool,
    /// How to print it
    #[arg(short, long, value_enum, default_value = "text")]
    output: Format,
    /// Sum statuses up as Sonobuoy does, also where that is falsely green
    #[arg(long)]
    sonobuoy_compat: bool,
}

/// How much to show.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shown {
    /// Counts and failed tests of each plugin
    Report,
    /// Every item as a line of JSON, or the file that it stands for
    Detailed,
    /// The items as YAML, as they were recorded
    Dump,
    /// As the dump, with line breaks written out
    Readable,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// As `--mode` says
    Text,
    /// One JSON document: the items of all plugins
    Json,
}

/// Shows results. The exit code says whether they are good.
pub(super) fn run(arguments: &ResultsArguments) -> Result<ExitCode, CliError> {
    let output = match arguments.mode {
        Shown::Report => OutputMode::Report,
        Shown::Detailed => OutputMode::Detailed,
        Shown::Dump => OutputMode::Dump,
        Shown::Readable => OutputMode::Readable,
    };
    let mode = if arguments.sonobuoy_compat { Mode::SonobuoyCompat } else { Mode::Strict };
    let selection = Selection { plugin: arguments.plugin.as_deref(), node: arguments.node.as_deref(), output, mode };
    let mut archive = RunArchive::read(&arguments.path, &selection).map_err(unreadable)?;
    for warning in archive.warnings() {
        terminal::say(&format!("{}: {warning}\n", terminal::warning_word()));
    }
    let damaged = archive.damage().map(ToString::to_string);
    match arguments.output {
        Format::Json => json(&archive)?,
        Format::Text => {
            let prefix = if arguments.skip_prefix { Prefix::Skip } else { Prefix::Names };
            let printed = archive.print(output, prefix, &mut io::stdout().lock());
            match printed {
                Err(ResultsError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {}
                other => other.map_err(unreadable)?,
            }
        }
    }
    if let Some(damage) = damaged {
        terminal::say(&format!(
            "{}: the archive is damaged, what was read is shown: {damage}\n",
            terminal::error_word()
        ));
        return Ok(ExitCode::Usage);
    }
    Ok(exit_code(archive.items()))
}

fn exit_code<'a>(items: impl Iterator<Item = &'a Item>) -> ExitCode {
    let failures: u64 = items.map(|item| Counts::of(item).failures()).sum();
    if failures > 0 { ExitCode::Findings } else { ExitCode::Passed }
}

fn json(archive: &RunArchive) -> Result<(), CliError> {
    let document = serde_json::json!({
        "apiVersion": porthole_core::report::run_report::API_VERSION,
        "kind": "Results",
        "items": archive.items().collect::<Vec<_>>(),
    });
    terminal::put(&format!("{document:#}\n")).map_err(|error| CliError::internal(format!("standard output: {error}")))
}

fn unreadable(error: ResultsError) -> CliError {
    let hint = "give a tarball of `porthole run` or `sonobuoy retrieve`, or its unpacked folder";
    CliError::usage(error, Some(hint.to_owned()))
}
