//! From a kubeconfig or a pod's service account to a client.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use http::header::{HeaderValue, USER_AGENT};
use kube::config::{KubeConfigOptions, Kubeconfig, KubeconfigError};
use kube::{Client, Config};

use super::limit;
use crate::cluster::ClusterError;

/// The name under which Porthole asks; audit logs show it.
const AGENT: &str = concat!("porthole/", env!("CARGO_PKG_VERSION"));

/// Which cluster to connect to. The caller reads the environment; nothing here does, except that kube looks
/// for a pod's service account when there is no kubeconfig.
#[derive(Debug, Clone)]
pub struct LiveOptions {
    /// The file that was named on the command line; it must exist.
    pub kubeconfig: Option<PathBuf>,
    /// The value of `$KUBECONFIG`: files that are merged, the first one wins. Ignored when `kubeconfig` is set.
    pub kubeconfig_variable: Option<OsString>,
    /// The user's home folder, for `.kube/config`.
    pub home: Option<PathBuf>,
    /// The context; `None` for the kubeconfig's current one.
    pub context: Option<String>,
    /// Objects per page of a list where the query does not say.
    pub page_objects: u32,
    /// Requests at the same time; at least one.
    pub concurrent_requests: usize,
}

impl Default for LiveOptions {
    fn default() -> Self {
        Self {
            kubeconfig: None,
            kubeconfig_variable: None,
            home: None,
            context: None,
            page_objects: limit::PAGE_OBJECTS,
            concurrent_requests: limit::CONCURRENT_REQUESTS,
        }
    }
}

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// Neither a kubeconfig nor a pod's service account was found.
    #[error(
        "no cluster is configured (looked for: --kubeconfig, $KUBECONFIG, {}, a pod's service account)",
        .home_file.display()
    )]
    NotConfigured {
        /// Where a kubeconfig would have been read.
        home_file: PathBuf,
    },
    /// A kubeconfig cannot be used.
    #[error("the kubeconfig `{}` cannot be used", path.display())]
    Kubeconfig {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: KubeconfigError,
    },
    /// The kubeconfig has no such context.
    #[error("the kubeconfig `{}` has no context `{context}` (contexts: {})", path.display(), known.join(", "))]
    UnknownContext {
        /// The file, or the first of several.
        path: PathBuf,
        /// What was asked for.
        context: String,
        /// What would have worked.
        known: Vec<String>,
    },
    /// The pod's service account cannot be used.
    #[error("the pod's service account cannot be used")]
    ServiceAccount(#[from] kube::config::InClusterError),
    /// The client cannot be built: a certificate or key that cannot be read, a proxy that is not supported.
    #[error("a client for `{url}` cannot be made")]
    Client {
        /// The API server.
        url: String,
        /// Why.
        #[source]
        source: Box<kube::Error>,
    },
    /// The API server does not answer, or refuses the credentials.
    #[error(transparent)]
    Cluster(#[from] ClusterError),
}

/// A client and what people call its cluster.
pub(super) struct Connection {
    pub(super) client: Client,
    /// `context `x` (https://…)`, or the service account's server.
    pub(super) name: String,
    /// The server's URL without its path's last slash.
    pub(super) url: String,
}

/// Finds the configuration and makes the client. Sends nothing.
pub(super) async fn connect(options: &LiveOptions) -> Result<Connection, ConnectError> {
    let (mut config, context) = configuration(options).await?;
    config.connect_timeout = Some(limit::CONNECT_TIMEOUT);
    // Repeating is decided in `backoff`, which knows what may be repeated.
    config.default_retry = false;
    config.headers.push((USER_AGENT, HeaderValue::from_static(AGENT)));
    let url = config.cluster_url.to_string().trim_end_matches('/').to_owned();
    let name = match context {
        Some(context) => format!("context `{context}` ({url})"),
        None => format!("the pod's own cluster ({url})"),
    };
    let client = Client::try_from(config)
        .map_err(|source| ConnectError::Client { url: url.clone(), source: Box::new(source) })?;
    Ok(Connection { client, name, url })
}

/// Returns the configuration and the context's name; no name for a service account.
async fn configuration(options: &LiveOptions) -> Result<(Config, Option<String>), ConnectError> {
    let home_file = options.home.clone().unwrap_or_default().join(".kube/config");
    let mut paths: Vec<PathBuf> = match (&options.kubeconfig, &options.kubeconfig_variable) {
        (Some(path), _) => vec![path.clone()],
        // As kubectl does: files of the list that do not exist are passed over.
        (None, Some(list)) => std::env::split_paths(list).filter(|path| path.is_file()).collect(),
        (None, None) => Vec::new(),
    };
    let named = options.kubeconfig_variable.as_ref().is_some_and(|list| !list.is_empty());
    if paths.is_empty() && !named && options.home.is_some() && home_file.is_file() {
        paths.push(home_file.clone());
    }
    let Some(first) = paths.first().cloned() else {
        return match Config::incluster() {
            Ok(config) => Ok((config, None)),
            Err(kube::config::InClusterError::ReadEnvironmentVariable(_)) => {
                Err(ConnectError::NotConfigured { home_file })
            }
            Err(error) => Err(error.into()),
        };
    };
    let kubeconfig = read(&paths).await?;
    let context = options.context.clone().or_else(|| kubeconfig.current_context.clone()).unwrap_or_default();
    let known: Vec<String> = kubeconfig.contexts.iter().map(|context| context.name.clone()).collect();
    if !known.contains(&context) {
        return Err(ConnectError::UnknownContext { path: first, context, known });
    }
    let choice = KubeConfigOptions { context: Some(context.clone()), ..KubeConfigOptions::default() };
    let config = Config::from_custom_kubeconfig(kubeconfig, &choice)
        .await
        .map_err(|source| ConnectError::Kubeconfig { path: first, source })?;
    Ok((config, Some(context)))
}

async fn read(paths: &[PathBuf]) -> Result<Kubeconfig, ConnectError> {
    let mut merged = Kubeconfig::default();
    for path in paths {
        let failed = |source| ConnectError::Kubeconfig { path: path.clone(), source };
        let read = read_file(path).await.map_err(failed)?;
        merged = merged.merge(read).map_err(failed)?;
    }
    Ok(merged)
}

async fn read_file(path: &Path) -> Result<Kubeconfig, KubeconfigError> {
    let owned = path.to_path_buf();
    let reading = tokio::task::spawn_blocking(move || Kubeconfig::read_from(owned));
    reading.await.unwrap_or_else(|panic| {
        Err(KubeconfigError::ReadConfig(std::io::Error::other(panic.to_string()), path.to_path_buf()))
    })
}
