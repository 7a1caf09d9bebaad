//! What a snapshot says about the API server: its version, its groups and its nodes' kubelets.

use bytes::Bytes;
use porthole_core::resource::ResourceType;
use serde_json::{Value, json};

use super::{Snapshot, kinds, lock};
use crate::cluster::{ClusterError, NodeEndpoint, NodeResponse, Result};

impl Snapshot {
    /// Returns the recorded version, or one made of what the nodes' kubelets say.
    ///
    /// The oldest kubelet counts: an API server is never older than that (version skew policy). A version
    /// made so has `"porthole": "derived from the nodes' kubeletVersion"` in it.
    pub(super) fn server_version(&self) -> Result<Bytes> {
        if let Some(version) = &self.version {
            return Ok(version.clone());
        }
        let store = lock(&self.store);
        let nodes = store.resolve(&ResourceType::new("", "v1", "nodes")).ok();
        let versions = nodes.into_iter().flat_map(|(_, nodes)| nodes.objects.values()).filter_map(|node| {
            let node = node.value().ok()?;
            node.pointer("/status/nodeInfo/kubeletVersion")?.as_str().map(str::to_owned)
        });
        let numbers = |version: &String| {
            let version = version.trim_start_matches('v').split(['-', '+']).next().unwrap_or_default().to_owned();
            version.split('.').map(|part| part.parse().unwrap_or(0)).collect::<Vec<u32>>()
        };
        let Some(version) = versions.min_by_key(numbers) else {
            return Err(ClusterError::Unsupported(
                "the snapshot records neither the server's version (`serverversion.json`) nor nodes to tell it by"
                    .to_owned(),
            ));
        };
        let [major, minor] = [0, 1].map(|index| numbers(&version).get(index).copied().unwrap_or(0).to_string());
        let version = json!({
            "major": major, "minor": minor, "gitVersion": version,
            "porthole": "derived from the nodes' kubeletVersion",
        });
        Ok(Bytes::from(version.to_string()))
    }

    /// Returns the recorded group list, or one made of the kinds that are served.
    pub(super) fn server_groups(&self) -> Bytes {
        if let Some(groups) = &self.groups {
            return groups.clone();
        }
        let store = lock(&self.store);
        let mut groups: Vec<(String, Vec<String>)> = Vec::new();
        for (kind, _) in store.collections().filter(|(kind, _)| !kind.group.is_empty()) {
            match groups.last_mut() {
                Some((group, versions)) if *group == kind.group => versions.push(kind.version.clone()),
                _ => groups.push((kind.group.clone(), vec![kind.version.clone()])),
            }
        }
        let describe = |(group, mut versions): (String, Vec<String>)| {
            versions.sort_by_key(|version| kinds::preference(version));
            versions.dedup();
            let version = |version: &String| json!({"groupVersion": format!("{group}/{version}"), "version": version});
            let versions: Vec<Value> = versions.iter().map(version).collect();
            json!({"name": group, "preferredVersion": versions.first(), "versions": versions})
        };
        let groups: Vec<Value> = groups.into_iter().map(describe).collect();
        let list = json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups});
        Bytes::from(list.to_string())
    }

    /// Returns what a kubelet answered when the snapshot was taken.
    pub(super) fn kubelet(&self, node: &str, endpoint: NodeEndpoint) -> Result<NodeResponse> {
        if let Some(body) = self.hosts.get(&(node.to_owned(), endpoint)) {
            return Ok(response(endpoint, body));
        }
        let resource = ResourceType::new("", "v1", "nodes");
        let is_known = lock(&self.store).object(&resource, "", node).is_some()
            || self.hosts.keys().any(|(recorded, _)| recorded == node);
        if !is_known {
            return Err(ClusterError::NotFound { resource, namespace: None, name: node.to_owned() });
        }
        Err(ClusterError::Unsupported(format!("the snapshot does not record `{}` of node `{node}`", endpoint.path())))
    }
}

/// Sonobuoy records `healthz` as `{"status":200}` instead of the body, which is `ok` then.
fn response(endpoint: NodeEndpoint, body: &Bytes) -> NodeResponse {
    let recorded = || serde_json::from_slice::<Value>(body).ok();
    let status = || recorded()?.get("status")?.as_u64().and_then(|status| u16::try_from(status).ok());
    match (endpoint, status()) {
        (NodeEndpoint::Healthz, Some(200)) => NodeResponse { code: 200, body: Bytes::from_static(b"ok") },
        (NodeEndpoint::Healthz, Some(code)) => NodeResponse { code, body: body.clone() },
        _ => NodeResponse { code: 200, body: body.clone() },
    }
}
