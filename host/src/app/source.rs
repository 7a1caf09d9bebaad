//! Which cluster: a snapshot, a live one, or the bundled one.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use super::{AppError, bundled};
use crate::cluster::Cluster;
use crate::cluster::live::{Live, LiveOptions};
use crate::cluster::snapshot::Snapshot;

/// Which cluster to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClusterSource {
    /// A dump, or a folder of manifests.
    Snapshot(PathBuf),
    /// A live cluster.
    Live {
        /// The kubeconfig that was named; `None` for the usual places, or the pod's own service account.
        kubeconfig: Option<PathBuf>,
        /// The value of `$KUBECONFIG`.
        variable: Option<OsString>,
        /// The user's home folder.
        home: Option<PathBuf>,
        /// The context; `None` for the current one.
        context: Option<String>,
    },
    /// The snapshot in the binary.
    Bundled,
}

/// An open cluster.
pub(super) struct Opened {
    pub(super) cluster: Arc<dyn Cluster>,
    /// The cluster in one line for people.
    pub(super) description: String,
    /// What could not be read of a snapshot, one line each.
    pub(super) warnings: Vec<String>,
}

impl ClusterSource {
    pub(super) async fn open(&self) -> Result<Opened, AppError> {
        match self {
            Self::Snapshot(path) => open_snapshot(path.clone(), path.display().to_string()).await,
            Self::Bundled => {
                let path = std::env::temp_dir();
                let file = bundled::snapshot().map_err(|source| AppError::File { path, source })?;
                open_snapshot(file.path().to_owned(), "the bundled snapshot".to_owned()).await
            }
            Self::Live { kubeconfig, variable, home, context } => {
                let options = LiveOptions {
                    kubeconfig: kubeconfig.clone(),
                    kubeconfig_variable: variable.clone(),
                    home: home.clone(),
                    context: context.clone(),
                    ..LiveOptions::default()
                };
                let live = Live::connect(options).await.map_err(|error| AppError::Cluster {
                    what: "the cluster cannot be reached".to_owned(),
                    source: Box::new(error),
                })?;
                // The first question tells whether anybody is there, before any plugin asks.
                live.version().await.map_err(|error| AppError::cluster(live.describe(), error))?;
                let description = live.describe();
                Ok(Opened { cluster: Arc::new(live), description, warnings: Vec::new() })
            }
        }
    }
}

async fn open_snapshot(path: PathBuf, description: String) -> Result<Opened, AppError> {
    let opened = tokio::task::spawn_blocking(move || Snapshot::open(&path)).await;
    let snapshot = opened
        .map_err(|error| AppError::Cluster { what: description.clone(), source: Box::new(error) })?
        .map_err(|error| AppError::Cluster {
            what: format!("{description} cannot be read as a snapshot"),
            source: Box::new(error),
        })?;
    let warnings = snapshot.warnings().iter().map(ToString::to_string).collect();
    Ok(Opened { cluster: Arc::new(snapshot), description, warnings })
}
