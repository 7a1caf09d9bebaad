//! `podlogs/<namespace>/<pod>/logs/<container>.txt`.

use std::io::{self, Read};

use porthole_sdk::kubernetes::{self, Resource};
use porthole_sdk::results::{self, Reporter};
use porthole_sdk::{Failure, progress};
use serde::Deserialize;

use crate::outcome::{Collected, Trouble, item};
use crate::settings::LogSettings;

#[derive(Deserialize)]
struct Pod {
    metadata: Metadata,
    #[serde(default)]
    spec: Spec,
}

#[derive(Deserialize)]
struct Metadata {
    name: String,
    #[serde(default)]
    namespace: String,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Spec {
    init_containers: Vec<Container>,
    containers: Vec<Container>,
    ephemeral_containers: Vec<Container>,
}

#[derive(Deserialize)]
struct Container {
    name: String,
}

/// Collects the logs of every container of the wanted pods; one that cannot be read does not keep the
/// others from being read.
pub(crate) fn collect(settings: &LogSettings, reporter: &mut Reporter) -> Result<(), Failure> {
    let pods = kubernetes::list(&Resource::core("pods")).labels(&settings.label_selector).keep([
        "spec.containers.name",
        "spec.initContainers.name",
        "spec.ephemeralContainers.name",
    ]);
    for pod in pods.objects::<Pod>() {
        let pod = match pod {
            Ok(pod) => pod,
            Err(error) => {
                reporter.push(item(["logs"], Err(error.into())))?;
                continue;
            }
        };
        if !settings.namespaces.is_match(&pod.metadata.namespace) {
            continue;
        }
        let (namespace, name) = (&pod.metadata.namespace, &pod.metadata.name);
        progress::message(&format!("logs of {namespace}/{name}"));
        let spec = &pod.spec;
        for container in spec.init_containers.iter().chain(&spec.containers).chain(&spec.ephemeral_containers) {
            let path = format!("{namespace}/{name}/{}", container.name);
            reporter.push(item(["logs", &path], log(settings, namespace, name, &container.name)))?;
        }
    }
    Ok(())
}

fn log(settings: &LogSettings, namespace: &str, pod: &str, container: &str) -> Result<Collected, Trouble> {
    let mut log = kubernetes::pod_log(namespace, pod).container(container);
    if let Some(lines) = settings.tail_lines {
        log = log.tail_lines(lines);
    }
    if let Some(bytes) = settings.limit_bytes {
        log = log.limit_bytes(bytes);
    }
    if let Some(seconds) = settings.since_seconds {
        log = log.since_seconds(seconds);
    }
    if settings.previous {
        log = log.previous();
    }
    if settings.timestamps {
        log = log.timestamps();
    }
    let log = log.open()?;
    let mut file = results::create_cluster_file(&format!("podlogs/{namespace}/{pod}/logs/{container}.txt"))?;
    // The server's own bound is not exact: it ends at the end of a line.
    let bytes = io::copy(&mut log.take(settings.limit_bytes.unwrap_or(u64::MAX)), &mut file)?;
    file.finish()?;
    Ok(Collected { objects: 0, bytes })
}
