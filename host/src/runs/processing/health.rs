//! The health of the cluster, from what a run collected of it.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use porthole_core::report::{ClusterHealth, LogScan};
use serde::{Deserialize, Serialize};

use super::{FolderError, walk};

/// How many bytes of a log are read at once.
const PIECE_BYTES: usize = 64 << 10;

/// Reads nodes, pods, logs and the server's version from the folder of a run.
///
/// What was not collected, or is not readable as what it should be, counts as not there: a health
/// summary must never fail a run. Memory is bounded by the names and conditions of one namespace's pods.
///
/// # Errors
///
/// Fails when a folder cannot be listed.
pub fn read(run: &Path) -> Result<ClusterHealth, FolderError> {
    let mut health = ClusterHealth::default();
    if let Some(Version { git_version }) = parse(&run.join("serverversion.json")) {
        health.api_version = git_version;
    }
    for node in objects(&run.join("resources/cluster/core_v1_nodes.json")) {
        health.add_node(&node);
    }
    walk(run, "resources/ns/", &mut |path| {
        if path.ends_with("/core_v1_pods.json") {
            for pod in objects(&run.join(path)) {
                health.add_pod(&pod);
            }
        }
    })?;
    walk(run, "podlogs/", &mut |path| {
        if is_log(path)
            && let Ok(counts) = scan(&run.join(path))
        {
            health.add_log(path, counts);
        }
    })?;
    Ok(health)
}

/// Returns whether this is `podlogs/<namespace>/<pod>/logs/<container>.txt`, as Sonobuoy looks for it.
fn is_log(path: &str) -> bool {
    let parts: Vec<&str> = path.splitn(5, '/').collect();
    matches!(parts[..], ["podlogs", _, _, "logs", name] if name.rfind(".txt").is_some_and(|at| at > 0))
}

fn scan(path: &Path) -> io::Result<(u64, u64)> {
    let mut file = File::open(path)?;
    let mut scan = LogScan::default();
    let mut piece = vec![0; PIECE_BYTES];
    loop {
        let bytes = file.read(&mut piece)?;
        if bytes == 0 {
            return Ok(scan.finish());
        }
        scan.feed(&piece[..bytes]);
    }
}

#[derive(Deserialize)]
struct Version {
    #[serde(default, rename = "gitVersion")]
    git_version: String,
}

#[derive(Deserialize)]
struct List {
    #[serde(default)]
    items: Vec<Slim>,
}

/// What the summary needs of a node or pod; the rest is never kept in memory.
#[derive(Deserialize, Serialize, Default)]
#[serde(default)]
struct Slim {
    metadata: Metadata,
    status: Status,
}

#[derive(Deserialize, Serialize, Default)]
#[serde(default)]
struct Metadata {
    name: String,
    namespace: String,
}

#[derive(Deserialize, Serialize, Default)]
#[serde(default)]
struct Status {
    phase: String,
    conditions: Vec<Condition>,
}

#[derive(Deserialize, Serialize, Default)]
#[serde(default)]
struct Condition {
    r#type: String,
    status: String,
    reason: Option<String>,
    message: Option<String>,
}

fn objects(path: &Path) -> impl Iterator<Item = serde_json::Value> {
    let items = parse::<List>(path).map(|list| list.items).unwrap_or_default();
    items.into_iter().filter_map(|item| serde_json::to_value(item).ok())
}

fn parse<T: for<'de> Deserialize<'de>>(path: &Path) -> Option<T> {
    serde_json::from_reader(BufReader::new(File::open(path).ok()?)).ok()
}
