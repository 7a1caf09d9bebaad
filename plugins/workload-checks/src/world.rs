//! Everything that the checks look at, read once.

use std::collections::{BTreeMap, BTreeSet};

use porthole_sdk::Failure;
use porthole_sdk::kubernetes::{self, Error};

use crate::gather::{self, BUDGET, CLUSTER_ROLE, CONFIG_MAP, CONTROLLERS, Kind, NETWORK_POLICY, POD, ROLE, SERVICE};
use crate::objects::{Container, Object, Spec};

/// Something that makes pods, or a pod that nothing made.
#[derive(Debug, Clone)]
pub(crate) struct Workload {
    pub(crate) kind: String,
    pub(crate) namespace: String,
    pub(crate) name: String,
    /// How many pods it wants, where it says so.
    pub(crate) replicas: Option<i64>,
    /// The labels of its pods.
    pub(crate) labels: BTreeMap<String, String>,
    /// The specification of its pods.
    pub(crate) pod: Spec,
}

impl Workload {
    /// Returns the containers that run as long as the pod does.
    pub(crate) fn containers(&self) -> &[Container] {
        &self.pod.containers
    }

    /// Returns every container, also those that run first and those that were added by hand.
    pub(crate) fn all_containers(&self) -> impl Iterator<Item = &Container> {
        self.pod.init_containers.iter().chain(&self.pod.containers).chain(&self.pod.ephemeral_containers)
    }

    /// Returns whether its pods are meant to end.
    pub(crate) fn ends(&self) -> bool {
        matches!(self.kind.as_str(), "Job" | "CronJob")
    }

    /// Returns whether it is one that keeps a number of replicas.
    pub(crate) fn is_replicated(&self) -> bool {
        matches!(self.kind.as_str(), "Deployment" | "StatefulSet" | "ReplicaSet" | "ReplicationController")
    }
}

/// The cluster as the checks see it.
#[derive(Debug, Default)]
pub(crate) struct World {
    pub(crate) workloads: Vec<Workload>,
    objects: BTreeMap<Kind, Vec<Object>>,
    missing: BTreeMap<Kind, Error>,
}

impl World {
    pub(crate) fn read() -> Result<Self, Failure> {
        let served = kubernetes::api_resources()?;
        let mut world = Self::default();
        let more = [POD, SERVICE, CONFIG_MAP, ROLE, CLUSTER_ROLE, BUDGET, NETWORK_POLICY];
        for kind in CONTROLLERS.into_iter().chain(more) {
            match gather::read(&served, kind) {
                Ok(objects) => drop(world.objects.insert(kind, objects)),
                Err(error) => drop(world.missing.insert(kind, error)),
            }
        }
        world.workloads = world.owners();
        Ok(world)
    }

    /// Returns the objects of a kind; none of a kind that could not be read.
    pub(crate) fn objects(&self, kind: Kind) -> &[Object] {
        self.objects.get(&kind).map_or(&[], Vec::as_slice)
    }

    /// Returns those of the kinds that could not be read, and why.
    pub(crate) fn missing(&self, kinds: &'static [Kind]) -> impl Iterator<Item = (&'static str, &Error)> {
        kinds.iter().filter_map(|kind| self.missing.get(kind).map(|error| (kind.kind, error)))
    }

    /// Returns what is judged: controllers that nothing else made, pods that nothing made, and for pods
    /// whose owner is not in the data, that owner.
    fn owners(&self) -> Vec<Workload> {
        let mut known: BTreeSet<(String, String, String)> = BTreeSet::new();
        for kind in CONTROLLERS {
            known.extend(self.objects(kind).iter().map(|object| key(kind.kind, object)));
        }
        let mut owners: BTreeMap<(String, String, String), Workload> = BTreeMap::new();
        for kind in CONTROLLERS {
            for object in self.objects(kind) {
                if !is_owned(object, &known)
                    && let Some(workload) = of_controller(kind, object)
                {
                    owners.insert(key(kind.kind, object), workload);
                }
            }
        }
        for pod in self.objects(POD) {
            if is_owned(pod, &known) {
                continue;
            }
            // A static pod is "owned" by its node, which makes it nobody's but its own.
            let owner = pod.metadata.owner_references.iter().find(|owner| owner.controller && owner.kind != "Node");
            let (kind, name) = owner.map_or(("Pod", &pod.metadata.name), |owner| (owner.kind.as_str(), &owner.name));
            let namespace = pod.metadata.namespace.clone();
            owners.entry((kind.to_owned(), namespace.clone(), name.clone())).or_insert_with(|| Workload {
                kind: kind.to_owned(),
                namespace,
                name: name.clone(),
                replicas: None,
                labels: pod.metadata.labels.clone(),
                pod: pod.spec.clone(),
            });
        }
        owners.into_values().collect()
    }
}

fn key(kind: &str, object: &Object) -> (String, String, String) {
    (kind.to_owned(), object.metadata.namespace.clone(), object.metadata.name.clone())
}

fn is_owned(object: &Object, known: &BTreeSet<(String, String, String)>) -> bool {
    object.metadata.owner_references.iter().any(|owner| {
        owner.controller && known.contains(&(owner.kind.clone(), object.metadata.namespace.clone(), owner.name.clone()))
    })
}

fn of_controller(kind: Kind, object: &Object) -> Option<Workload> {
    let template = match &object.spec.job_template {
        Some(job) => job.spec.template.as_deref(),
        None => object.spec.template.as_deref(),
    };
    let template = template?;
    Some(Workload {
        kind: kind.kind.to_owned(),
        namespace: object.metadata.namespace.clone(),
        name: object.metadata.name.clone(),
        replicas: object.spec.replicas,
        labels: template.metadata.labels.clone(),
        pod: template.spec.clone(),
    })
}
