//! Changes to the cluster. A plugin that calls none of these cannot write, and its component proves it.

use serde::Serialize;

use super::{Error, Resource};
use crate::host;

/// What a write came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The object as it is now (after a dry run: as it would be) as JSON text; empty after a delete.
    pub object: Vec<u8>,
    /// Whether the write was only recorded.
    pub dry_run: bool,
}

/// How a patch is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatchType {
    /// RFC 7386.
    Merge,
    /// Kubernetes' strategic merge; only for built-in kinds.
    Strategic,
    /// RFC 6902.
    Json,
}

/// What happens to the objects that a deleted object owns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Propagation {
    /// They are deleted afterwards.
    #[default]
    Background,
    /// They are deleted first.
    Foreground,
    /// They stay.
    Orphan,
}

/// How to delete.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeleteOptions {
    /// Seconds of grace; `None` for the object's own.
    pub grace_period_seconds: Option<u32>,
    /// What happens to owned objects.
    pub propagation: Propagation,
    /// Only if the object still has this uid.
    pub uid: Option<String>,
}

/// Creates an object; its name and namespace are in it. Needs `create`.
///
/// # Errors
///
/// See [`Error`].
pub fn create(resource: &Resource, object: &impl Serialize) -> Result<Outcome, Error> {
    host::create(resource, &json(object)?)
}

/// Server-side apply; with `force`, fields of others are taken over. Needs `patch`, and `create` for a new object.
///
/// # Errors
///
/// See [`Error`].
pub fn apply(resource: &Resource, object: &impl Serialize, force: bool) -> Result<Outcome, Error> {
    host::apply(resource, &json(object)?, force)
}

/// Patches an object. Needs `patch`.
///
/// # Errors
///
/// See [`Error`].
pub fn patch(
    resource: &Resource,
    namespace: Option<&str>,
    name: &str,
    patch_type: PatchType,
    patch: &impl Serialize,
) -> Result<Outcome, Error> {
    host::patch(resource, namespace, name, patch_type, &json(patch)?)
}

/// Deletes an object. Needs `delete`.
///
/// # Errors
///
/// See [`Error`].
pub fn delete(
    resource: &Resource,
    namespace: Option<&str>,
    name: &str,
    options: &DeleteOptions,
) -> Result<Outcome, Error> {
    host::delete(resource, namespace, name, options)
}

/// Evicts a pod, which respects `PodDisruptionBudget`s. Needs `create` on `pods/eviction`.
///
/// # Errors
///
/// See [`Error`].
pub fn evict(namespace: &str, pod: &str) -> Result<Outcome, Error> {
    host::evict(namespace, pod)
}

fn json(object: &impl Serialize) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(object).map_err(|error| Error::Malformed(error.to_string()))
}
