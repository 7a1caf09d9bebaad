//! The only wiring: from what an operator asks for to the modules that do it.
//!
//! Nothing here prints or knows of a terminal; `cli` does.

use std::path::PathBuf;

mod bundled;
mod grants;
mod prepare;
mod run;
mod source;

pub use bundled::bundled_candidates;
pub use grants::{GrantSource, Granted};
pub use run::{Prologue, RunEnd, RunRequest, Running, start};
pub use source::ClusterSource;

use crate::cluster::ClusterError;
use crate::engine::EngineError;
use crate::registry::SelectionError;
use crate::runs::RunError;

/// Why an order could not be carried out at all.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// What was asked for makes no sense: a file, a setting or a name is wrong.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
        /// What to type or change instead.
        hint: Option<String>,
    },
    /// The plugins that were named cannot be selected.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// The cluster or snapshot cannot be read.
    #[error("{what}")]
    Cluster {
        /// Which cluster.
        what: String,
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The sandbox could not be started.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The run's own files failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A file of the host could not be read or written.
    #[error("`{}` cannot be used", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

impl AppError {
    fn usage(message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::Usage { message: message.into(), hint: Some(hint.into()) }
    }

    fn cluster(what: impl Into<String>, source: ClusterError) -> Self {
        Self::Cluster { what: what.into(), source: Box::new(source) }
    }
}
