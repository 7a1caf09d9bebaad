//! `hosts/<node>/configz.json` and `healthz.json`: what each kubelet says of itself.

use std::io::Write;

use porthole_sdk::kubernetes::{self, Error, NodeEndpoint, NodeResponse, Resource};
use porthole_sdk::results::{self, Item, Reporter};
use porthole_sdk::{Failure, progress};
use serde_json::Value;

use crate::outcome::{Collected, Trouble, item};

/// The annotation by which KWOK knows the nodes that it simulates.
const SIMULATED: &str = "kwok.x-k8s.io/node";
/// The HTTP status of an answer.
const OK: u16 = 200;

/// Asks every node; one that does not answer does not keep the others from being asked.
pub(crate) fn collect(reporter: &mut Reporter) -> Result<(), Failure> {
    let nodes = kubernetes::list(&Resource::core("nodes")).keep(["metadata.annotations"]);
    for node in nodes.objects::<Value>() {
        match node {
            Ok(node) => ask(&node, reporter)?,
            Err(error) => reporter.push(item(["nodes"], Err(error.into())))?,
        }
    }
    Ok(())
}

fn ask(node: &Value, reporter: &mut Reporter) -> Result<(), Failure> {
    let name = node["metadata"]["name"].as_str().unwrap_or_default();
    if node["metadata"]["annotations"][SIMULATED] == "fake" {
        reporter.push(Item::skipped(["nodes", name]).message("a simulated node (KWOK) has no kubelet to ask"))?;
        return Ok(());
    }
    progress::message(&format!("node {name}"));
    let configz = configz(name);
    // A kubelet that cannot be reached costs seconds; asking it twice tells nothing more.
    let reached = !matches!(&configz, Err(Trouble::Cluster(Error::Unavailable(_) | Error::Refused(_))));
    reporter.push(item(["nodes", name, "configz"], configz).object("Node", None, name))?;
    if reached {
        reporter.push(item(["nodes", name, "healthz"], healthz(name)).object("Node", None, name))?;
    }
    Ok(())
}

fn configz(node: &str) -> Result<Collected, Trouble> {
    let answer = kubernetes::node(node, NodeEndpoint::Configz)?;
    if answer.code != OK {
        return Err(refused(&answer));
    }
    write(&format!("hosts/{node}/configz.json"), &answer.body)
}

/// Sonobuoy keeps the status alone; an unhealthy kubelet is a fact to collect, not a failure to collect it.
fn healthz(node: &str) -> Result<Collected, Trouble> {
    let answer = kubernetes::node(node, NodeEndpoint::Healthz)?;
    let text = format!("{{\"status\":{}}}", answer.code);
    write(&format!("hosts/{node}/healthz.json"), text.as_bytes())
}

fn refused(answer: &NodeResponse) -> Trouble {
    let text = String::from_utf8_lossy(&answer.body);
    let first = text.lines().next().unwrap_or_default();
    Trouble::Io(std::io::Error::other(format!("the kubelet answered {}: {first}", answer.code)))
}

fn write(path: &str, bytes: &[u8]) -> Result<Collected, Trouble> {
    let mut file = results::create_cluster_file(path)?;
    file.write_all(bytes)?;
    file.finish()?;
    Ok(Collected { objects: 0, bytes: bytes.len() as u64 })
}
