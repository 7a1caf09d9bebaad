//! The command line: what an operator types, and what is shown. The only module that prints.

use std::process::ExitCode as ProcessExitCode;

use clap::{Args, Parser, Subcommand};
use porthole_core::exit_code::ExitCode;

use crate::engine::{CHILD_ARGUMENT, compile_child};

mod error;
mod manual;
mod options;
mod paths;
mod plugin;
mod progress;
mod results;
mod run;
mod status;
mod terminal;

use error::CliError;

/// Runs other people's Kubernetes plugins in a WebAssembly sandbox.
///
/// A plugin is one `.wasm` file. It states what it needs, you grant it, and it sees the cluster only
/// through exactly that window. `porthole run` without anything else tries the bundled plugins on a
/// bundled snapshot.
#[derive(Debug, Parser)]
#[command(name = "porthole", version, arg_required_else_help = true, after_help = exit_codes())]
struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

/// Options of every command.
#[derive(Debug, Clone, Args)]
struct Global {
    /// Say more on standard error: -v what is done, -vv why, -vvv everything
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,
    /// When to use colours
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    color: clap::ColorChoice,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run plugins on a cluster, a snapshot, or the bundled snapshot
    Run(Box<run::RunArguments>),
    /// Show the results of a run: a tarball or a folder, also Sonobuoy's
    Results(results::ResultsArguments),
    /// Show how far a run has come
    Status(status::StatusArguments),
    /// List and inspect plugins
    #[command(subcommand)]
    Plugin(plugin::PluginCommand),
    /// Print a completion script for a shell
    Completion {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
}

/// Runs the command line of this process.
#[must_use]
pub fn main() -> ProcessExitCode {
    if std::env::args().nth(1).as_deref() == Some(CHILD_ARGUMENT) {
        return ProcessExitCode::from(compile_child());
    }
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version are asked for; everything else is wrong usage. A closed pipe is nobody's error.
            let _ = error.print();
            let code = if error.use_stderr() { ExitCode::Usage } else { ExitCode::Passed };
            return code.into();
        }
    };
    terminal::set_up(cli.global.color, cli.global.verbose);
    let code = run(cli.command).unwrap_or_else(|error| {
        error.print();
        error.exit_code()
    });
    code.into()
}

fn run(command: Command) -> Result<ExitCode, CliError> {
    match command {
        Command::Run(arguments) => asynchronous(run::run(*arguments)),
        Command::Results(arguments) => results::run(&arguments),
        Command::Status(arguments) => status::run(&arguments),
        Command::Plugin(command) => plugin::run(&command),
        Command::Completion { shell } => manual::completion(shell),
        Command::Man => manual::page(),
    }
}

fn asynchronous(work: impl Future<Output = Result<ExitCode, CliError>>) -> Result<ExitCode, CliError> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| CliError::internal(format!("the host's threads could not be started: {error}")))?;
    let result = runtime.block_on(work);
    // A guest or a server that hangs must not keep the process.
    runtime.shutdown_background();
    result
}

fn exit_codes() -> String {
    let lines = ExitCode::ALL.iter().map(|code| format!("  {:>3}  {}", code.code(), code.meaning()));
    format!("Exit codes:\n{}", lines.collect::<Vec<_>>().join("\n"))
}
