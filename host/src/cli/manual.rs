//! What a package of Porthole installs besides the binary: completions and the manual page.

use clap::CommandFactory;
use porthole_core::exit_code::ExitCode;

use super::error::CliError;
use super::{Cli, terminal};

/// Prints the completion script for a shell.
pub(super) fn completion(shell: clap_complete::Shell) -> Result<ExitCode, CliError> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "porthole", &mut script);
    print(&script)
}

/// Prints the manual page in roff.
pub(super) fn page() -> Result<ExitCode, CliError> {
    let mut page = Vec::new();
    clap_mangen::Man::new(Cli::command())
        .render(&mut page)
        .map_err(|error| CliError::internal(format!("the manual page could not be made: {error}")))?;
    print(&page)
}

fn print(bytes: &[u8]) -> Result<ExitCode, CliError> {
    terminal::put(&String::from_utf8_lossy(bytes))
        .map_err(|error| CliError::internal(format!("standard output: {error}")))?;
    Ok(ExitCode::Passed)
}
