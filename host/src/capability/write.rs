//! Writes: decided, and then sent, checked by the server alone, or only recorded.

use bytes::Bytes;
use porthole_core::grant::Verb;
use porthole_core::resource::ResourceType;

use super::audit::Call;
use super::error::CapabilityError;
use super::read::describe;
use super::{DeleteQuery, Gate, PatchType, Target};
use crate::cluster::{ClusterError, Object, Write, WriteMode};

/// What becomes of the writes of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WritePolicy {
    /// They are made.
    Send,
    /// The API server checks them and forgets them (`dryRun=All`); they are recorded.
    Record,
}

/// A write as a guest asks for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// Creates an object.
    Create {
        /// The kind.
        resource_type: ResourceType,
        /// The object as JSON text.
        object: Bytes,
    },
    /// Server-side apply.
    Apply {
        /// The kind.
        resource_type: ResourceType,
        /// The wanted fields as JSON text.
        object: Bytes,
        /// Whether to take over fields of others.
        force: bool,
    },
    /// Patches an object.
    Patch {
        /// The object that is meant.
        target: Target,
        /// How `patch` is written.
        patch_type: PatchType,
        /// The patch as JSON text.
        patch: Bytes,
    },
    /// Deletes an object.
    Delete {
        /// The object that is meant.
        target: Target,
        /// How to delete it.
        query: DeleteQuery,
    },
    /// Evicts a pod.
    Evict {
        /// Its namespace.
        namespace: String,
        /// Its name.
        pod: String,
    },
}

/// What a write came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The object afterwards as JSON text; `None` after a delete or an eviction.
    pub object: Option<Bytes>,
    /// Whether it was only recorded.
    pub dry_run: bool,
}

impl Gate {
    /// Makes a change, if it is granted.
    ///
    /// # Errors
    ///
    /// See [`CapabilityError`].
    pub async fn change(&self, change: Change) -> Result<Changed, CapabilityError> {
        let (function, what) = name(&change);
        let call = Call::begin(self, "kubernetes-write", function, what);
        call.finish(self.make(change).await, |changed| changed.object.as_ref().map_or((0, 0), |json| (1, json.len())))
    }

    async fn make(&self, change: Change) -> Result<Changed, CapabilityError> {
        let write = self.decided(change).await?;
        self.pace().await;
        let mode = match self.writes {
            WritePolicy::Send => WriteMode::Commit,
            WritePolicy::Record => WriteMode::DryRun,
        };
        let object = self.cluster.write(write, mode).await?;
        Ok(Changed { object: object.map(|object| object.json().clone()), dry_run: mode == WriteMode::DryRun })
    }

    async fn decided(&self, change: Change) -> Result<Write, CapabilityError> {
        let field_manager = format!("porthole-{}", self.plugin);
        Ok(match change {
            Change::Create { resource_type, object } => {
                let object = parse(object)?;
                let name = (!object.name().is_empty()).then_some(object.name());
                let resolved = self.resolve(Verb::Create, &resource_type, None, object.namespace(), name).await?;
                Write::Create { resource_type: resolved.resource_type, object }
            }
            Change::Apply { resource_type, object, force } => {
                let object = parse(object)?;
                let (namespace, name) = (object.namespace(), Some(object.name()));
                let resolved = self.resolve(Verb::Patch, &resource_type, None, namespace, name).await?;
                let resource_type = resolved.resource_type;
                let target = Target {
                    resource_type: resource_type.clone(),
                    namespace: object.namespace().map(str::to_owned),
                    name: object.name().to_owned(),
                };
                // Applying what is not there creates it, which is another verb.
                if let Err(ClusterError::NotFound { .. }) = self.cluster.get(&target).await {
                    self.resolve(Verb::Create, &resource_type, None, namespace, name).await?;
                }
                Write::Apply { resource_type, object, field_manager, force }
            }
            Change::Patch { target, patch_type, patch } => {
                let target = self.resolve_target(Verb::Patch, target).await?;
                Write::Patch { target, patch_type, patch, field_manager }
            }
            Change::Delete { target, query } => {
                Write::Delete { target: self.resolve_target(Verb::Delete, target).await?, query }
            }
            Change::Evict { namespace, pod } => {
                let pods = ResourceType::new("", "v1", "pods");
                self.resolve(Verb::Create, &pods, Some("eviction"), Some(&namespace), Some(&pod)).await?;
                Write::Evict { namespace, pod }
            }
        })
    }

    async fn resolve_target(&self, verb: Verb, target: Target) -> Result<Target, CapabilityError> {
        let Target { resource_type, namespace, name } = target;
        let resolved = self.resolve(verb, &resource_type, None, namespace.as_deref(), Some(&name)).await?;
        Ok(Target { resource_type: resolved.resource_type, namespace, name })
    }
}

fn parse(object: Bytes) -> Result<Object, CapabilityError> {
    Object::from_json(object).map_err(|error| CapabilityError::Invalid(format!("the object is not valid: {error}")))
}

/// Names a change for the audit.
fn name(change: &Change) -> (&'static str, String) {
    match change {
        Change::Create { resource_type, object } => ("create", written(resource_type, object)),
        Change::Apply { resource_type, object, .. } => ("apply", written(resource_type, object)),
        Change::Patch { target, .. } => ("patch", named(target)),
        Change::Delete { target, .. } => ("delete", named(target)),
        Change::Evict { namespace, pod } => ("evict", format!("v1/pods {namespace}/{pod}")),
    }
}

fn named(target: &Target) -> String {
    describe(&target.resource_type, target.namespace.as_deref(), &target.name)
}

fn written(resource_type: &ResourceType, object: &Bytes) -> String {
    Object::from_json(object.clone())
        .map_or_else(|_| resource_type.to_string(), |object| describe(resource_type, object.namespace(), object.name()))
}
