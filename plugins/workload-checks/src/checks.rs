//! The checks: one file each, with its rule, its words and what to do.

use porthole_sdk::kubernetes::Error;
use porthole_sdk::results::{Item, Severity};

use crate::gather::{BUDGET, CLUSTER_ROLE, CONFIG_MAP, CONTROLLERS, Kind, NETWORK_POLICY, POD, ROLE, SERVICE};
use crate::objects::{Container, Object, selects};
use crate::settings::Settings;
use crate::world::{Workload, World};

mod anti_affinity;
mod dangerous_capabilities;
mod dangling_service;
mod default_service_account;
mod docker_socket;
mod host_namespaces;
mod host_path;
mod image_tag;
mod liveness_probe;
mod network_policy;
mod pod_disruption_budget;
mod pods_exec;
mod privilege_escalation;
mod privileged_container;
mod read_only_root_filesystem;
mod readiness_probe;
mod replicas;
mod resource_limits;
mod resource_requests;
mod run_as_non_root;
mod secret_in_config_map;
mod secret_in_environment;
mod token_mount;
mod wildcard_rbac;

/// A check.
pub(crate) struct Check {
    /// Its name, as settings and reports write it.
    pub(crate) name: &'static str,
    /// How much its findings matter, unless the operator says otherwise.
    pub(crate) severity: Severity,
    /// What to do about a finding.
    remedy: &'static str,
    /// The kinds that it judges. Where one cannot be read, the others are judged all the same.
    pub(crate) needs: &'static [Kind],
    /// The kinds in which it looks for what an object should have. Where one cannot be read, nothing is
    /// judged: what was not seen would count as not there.
    pub(crate) looks_up: &'static [Kind],
    /// What it looks at, and how.
    rule: Rule,
}

/// What a check looks at.
enum Rule {
    /// Each owner of pods.
    Workload(fn(&Workload, &World) -> Verdict),
    /// Each object of some kinds.
    Object(&'static [Kind], fn(&Object, &World) -> Verdict),
}

/// What a check says of one object.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// In order.
    Passed,
    /// Not in order, and why in one sentence.
    Failed(String),
    /// The check has nothing to say of such an object.
    NotApplicable,
    /// It is left out on purpose, and why.
    Skipped(&'static str),
}

/// The object that a verdict is about.
#[derive(Debug)]
pub(crate) struct Subject {
    pub(crate) kind: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
}

/// An object and what was said of it.
pub(crate) struct Judged {
    subject: Subject,
    verdict: Verdict,
}

/// What makes pods, and pods.
const PODS: [Kind; 8] = [
    CONTROLLERS[0],
    CONTROLLERS[1],
    CONTROLLERS[2],
    CONTROLLERS[3],
    CONTROLLERS[4],
    CONTROLLERS[5],
    CONTROLLERS[6],
    POD,
];

/// Every check, in the order of reports.
pub(crate) const CHECKS: [Check; 24] = [
    run_as_non_root::CHECK,
    privileged_container::CHECK,
    privilege_escalation::CHECK,
    image_tag::CHECK,
    resource_requests::CHECK,
    resource_limits::CHECK,
    liveness_probe::CHECK,
    readiness_probe::CHECK,
    host_namespaces::CHECK,
    read_only_root_filesystem::CHECK,
    dangerous_capabilities::CHECK,
    pod_disruption_budget::CHECK,
    replicas::CHECK,
    anti_affinity::CHECK,
    network_policy::CHECK,
    dangling_service::CHECK,
    wildcard_rbac::CHECK,
    pods_exec::CHECK,
    secret_in_environment::CHECK,
    secret_in_config_map::CHECK,
    default_service_account::CHECK,
    token_mount::CHECK,
    host_path::CHECK,
    docker_socket::CHECK,
];

/// Applies a check to everything that it looks at.
pub(crate) fn judge(check: &Check, world: &World) -> Vec<Judged> {
    let judged =
        |subject: Subject, verdict: Verdict| (verdict != Verdict::NotApplicable).then_some(Judged { subject, verdict });
    match check.rule {
        Rule::Workload(rule) => world
            .workloads
            .iter()
            .filter_map(|workload| {
                let subject = Subject {
                    kind: workload.kind.clone(),
                    namespace: workload.namespace.clone(),
                    name: workload.name.clone(),
                };
                judged(subject, rule(workload, world))
            })
            .collect(),
        Rule::Object(kinds, rule) => kinds
            .iter()
            .flat_map(|kind| world.objects(*kind).iter().map(move |object| (kind, object)))
            .filter_map(|(kind, object)| {
                let subject = Subject {
                    kind: kind.kind.to_owned(),
                    namespace: object.metadata.namespace.clone(),
                    name: object.metadata.name.clone(),
                };
                judged(subject, rule(object, world))
            })
            .collect(),
    }
}

/// Returns the item for a verdict.
pub(crate) fn item(check: &Check, severity: Severity, settings: &Settings, judged: Judged) -> Item {
    let Judged { subject, verdict } = judged;
    let name = match subject.namespace.as_str() {
        "" => format!("{}/{}", subject.kind, subject.name),
        namespace => format!("{namespace}/{}/{}", subject.kind, subject.name),
    };
    let path = [check.name, &name];
    let item = match (verdict, settings.exemption(check, &subject)) {
        (Verdict::Failed(message), None) => Item::failed(path).severity(severity).message(message).remedy(check.remedy),
        (Verdict::Failed(message), Some(reason)) => {
            Item::skipped(path).message(format!("exempt ({reason}): {message}"))
        }
        (Verdict::Skipped(reason), _) => Item::skipped(path).message(reason),
        (Verdict::Passed | Verdict::NotApplicable, _) => return Item::passed(path),
    };
    let namespace = (!subject.namespace.is_empty()).then_some(subject.namespace.as_str());
    item.object(&subject.kind, namespace, &subject.name).check(check.name)
}

/// Returns the item for kinds that could not be read.
pub(crate) fn unknown(check: &Check, missing: &[(&str, &Error)]) -> Item {
    let kinds: Vec<_> = missing.iter().map(|(kind, _)| format!("{kind}s")).collect();
    let reason = missing.first().map(|(_, error)| error.to_string()).unwrap_or_default();
    let kinds = kinds.join(", ");
    Item::unknown([check.name, &kinds])
        .check(check.name)
        .message(format!("cannot be decided without {kinds}: {reason}"))
}

/// Judges each container by itself and names those that fail. `what` is said of several containers.
fn each<'a>(
    containers: impl IntoIterator<Item = &'a Container>,
    what: &str,
    is_wrong: impl Fn(&Container) -> bool,
) -> Verdict {
    let wrong: Vec<_> = containers.into_iter().filter(|container| is_wrong(container)).collect();
    if wrong.is_empty() {
        return Verdict::Passed;
    }
    let names: Vec<_> = wrong.iter().map(|container| format!("`{}`", container.name)).collect();
    Verdict::Failed(match names.as_slice() {
        [name] => format!("container {name} {}", of_one(what)),
        names => format!("containers {} {what}", names.join(", ")),
    })
}

/// Says of one what was said of several.
fn of_one(what: &str) -> String {
    let (verb, rest) = what.split_once(' ').unwrap_or((what, ""));
    let verb = match verb {
        "have" => "has".to_owned(),
        "do" => "does".to_owned(),
        "may" | "can" => verb.to_owned(),
        verb => format!("{verb}s"),
    };
    format!("{verb} {}", rest.replace("their ", "its "))
}

/// Whether a role is one that the API server makes and keeps by itself.
fn is_bootstrapped(role: &Object) -> bool {
    role.metadata.labels.get("kubernetes.io/bootstrapping").is_some_and(|value| value == "rbac-defaults")
        || role.metadata.name.starts_with("system:")
}

/// Whether a variable or key is called like something secret.
fn is_secret_name(name: &str) -> bool {
    let name = name.to_lowercase().replace(['-', '.'], "_");
    let words =
        ["password", "passwd", "secret", "token", "api_key", "apikey", "private_key", "access_key", "credential"];
    words.iter().any(|word| name.contains(word)) && !NOT_THE_SECRET.iter().any(|end| name.ends_with(end))
}

/// Ends of names of things about a secret that are not the secret.
const NOT_THE_SECRET: [&str; 8] = ["_file", "_path", "_url", "_name", "_ttl", "_seconds", "_expiration", "_enabled"];

/// Paths, addresses, numbers and switches are not secrets, whatever their key is called.
fn looks_like_a_reference(value: &str) -> bool {
    let value = value.trim();
    value.starts_with('/')
        || value.starts_with("$(")
        || value.contains("://")
        || value.parse::<f64>().is_ok()
        || matches!(value, "true" | "false")
        || value.is_empty()
}

fn host_paths(workload: &Workload) -> impl Iterator<Item = &str> {
    workload.pod.volumes.iter().filter_map(|volume| Some(volume.host_path.as_ref()?.path.as_str()))
}

/// Whether a path of the node is a container runtime's socket.
fn is_runtime_socket(path: &str) -> bool {
    ["docker.sock", "containerd.sock", "crio.sock", "cri-dockerd.sock"].iter().any(|name| path.ends_with(name))
}
