//! `porthole:plugin/kubernetes-write`: changes.

use std::sync::Arc;

use porthole_bindings::porthole::plugin::kubernetes_write::{
    self as wit, DeleteOptions, Error, Host, Outcome, PatchType, Propagation, ResourceType,
};

use super::guest::Guest;
use super::kubernetes_types::{read_resource_type, write_error};
use crate::capability::{self, Change, DeleteQuery, Target};

impl Guest {
    async fn change(&mut self, change: Change) -> Result<Outcome, Error> {
        let gate = Arc::clone(self.gate());
        let changed = gate.change(change).await.map_err(write_error)?;
        let object = changed.object.map_or_else(Vec::new, |object| object.to_vec());
        Ok(Outcome { object, dry_run: changed.dry_run })
    }
}

impl Host for Guest {
    async fn create(
        &mut self,
        resource_type: ResourceType,
        object: Vec<u8>,
    ) -> wasmtime::Result<Result<Outcome, Error>> {
        self.host_call("kubernetes-write", "create")?;
        let resource_type = read_resource_type(resource_type);
        Ok(self.change(Change::Create { resource_type, object: object.into() }).await)
    }

    async fn apply(
        &mut self,
        resource_type: ResourceType,
        object: Vec<u8>,
        force: bool,
    ) -> wasmtime::Result<Result<Outcome, Error>> {
        self.host_call("kubernetes-write", "apply")?;
        let resource_type = read_resource_type(resource_type);
        Ok(self.change(Change::Apply { resource_type, object: object.into(), force }).await)
    }

    async fn patch(
        &mut self,
        target: wit::Target,
        patch_type: PatchType,
        patch: Vec<u8>,
    ) -> wasmtime::Result<Result<Outcome, Error>> {
        self.host_call("kubernetes-write", "patch")?;
        let patch_type = match patch_type {
            PatchType::Merge => capability::PatchType::Merge,
            PatchType::Strategic => capability::PatchType::Strategic,
            PatchType::Json => capability::PatchType::Json,
        };
        Ok(self.change(Change::Patch { target: read_target(target), patch_type, patch: patch.into() }).await)
    }

    async fn delete(
        &mut self,
        target: wit::Target,
        options: DeleteOptions,
    ) -> wasmtime::Result<Result<Outcome, Error>> {
        self.host_call("kubernetes-write", "delete")?;
        let propagation = match options.propagation {
            Propagation::Background => capability::Propagation::Background,
            Propagation::Foreground => capability::Propagation::Foreground,
            Propagation::Orphan => capability::Propagation::Orphan,
        };
        let DeleteOptions { grace_period_seconds, uid, .. } = options;
        let query = DeleteQuery { grace_period_seconds, propagation, uid };
        Ok(self.change(Change::Delete { target: read_target(target), query }).await)
    }

    async fn evict(&mut self, namespace: String, pod: String) -> wasmtime::Result<Result<Outcome, Error>> {
        self.host_call("kubernetes-write", "evict")?;
        Ok(self.change(Change::Evict { namespace, pod }).await)
    }
}

fn read_target(target: wit::Target) -> Target {
    Target { resource_type: read_resource_type(target.resource_type), namespace: target.namespace, name: target.name }
}
