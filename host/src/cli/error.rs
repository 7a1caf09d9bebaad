//! Errors as the operator reads them: what happened, why, and the next thing to type.

use porthole_core::exit_code::ExitCode;

use super::terminal;
use crate::app::AppError;
use crate::cluster::ClusterError;

/// An error that ends a command.
#[derive(Debug)]
pub(super) struct CliError {
    error: anyhow::Error,
    hint: Option<String>,
    code: ExitCode,
}

impl CliError {
    /// Something that the user gave is wrong.
    pub(super) fn usage(error: impl Into<anyhow::Error>, hint: Option<String>) -> Self {
        Self { error: error.into(), hint, code: ExitCode::Usage }
    }

    /// The host could not go on.
    pub(super) fn internal(message: String) -> Self {
        Self { error: anyhow::Error::msg(message), hint: None, code: ExitCode::Internal }
    }

    /// Returns how the process should end.
    pub(super) fn exit_code(&self) -> ExitCode {
        self.code
    }

    /// Prints the error to standard error: one line, its causes, and after a blank line the hint.
    pub(super) fn print(&self) {
        let mut text = format!("{}: {}\n", terminal::error_word(), self.error);
        for cause in self.error.chain().skip(1) {
            text.push_str(&format!("  because: {cause}\n"));
        }
        if let Some(hint) = &self.hint {
            let hint = hint.replace('\n', "\n      ");
            text.push_str(&format!("\n{}: {hint}\n", terminal::hint_word()));
        }
        terminal::say(&text);
    }
}

impl From<AppError> for CliError {
    fn from(error: AppError) -> Self {
        let (code, hint) = match &error {
            AppError::Usage { hint, .. } => (ExitCode::Usage, hint.clone()),
            AppError::Selection(selection) => (ExitCode::Usage, selection.hint()),
            AppError::Cluster { source, .. } => cluster(source.as_ref()),
            AppError::File { .. } => (ExitCode::Usage, None),
            AppError::Engine(_) | AppError::Run(_) => (ExitCode::Internal, None),
        };
        Self { error: error.into(), hint, code }
    }
}

/// A file that is no snapshot is wrong input; a cluster that does not answer is another matter.
fn cluster(source: &(dyn std::error::Error + Send + Sync + 'static)) -> (ExitCode, Option<String>) {
    if source.is::<crate::cluster::snapshot::SnapshotError>() {
        let hint = "a snapshot is a Sonobuoy tarball, an OpenShift must-gather, a `kubectl cluster-info dump`, \
                    or a file or folder of Kubernetes YAML or JSON";
        return (ExitCode::Usage, Some(hint.to_owned()));
    }
    let hint = match source.downcast_ref::<ClusterError>() {
        Some(ClusterError::Forbidden(_)) => "check who you are: kubectl auth whoami",
        _ => {
            "check that the cluster answers: kubectl version\nto try Porthole without a cluster: porthole run --bundled"
        }
    };
    (ExitCode::ClusterUnreachable, Some(hint.to_owned()))
}
