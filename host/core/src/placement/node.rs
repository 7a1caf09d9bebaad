//! What placement must know of a node, read from the node's object.

use std::collections::BTreeMap;
use std::fmt;

use serde::Deserialize;
use thiserror::Error;

use super::TaintEffect;

/// What placement must know of a node.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NodeFacts {
    /// Its name.
    pub name: String,
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Its taints, in the order of the object.
    pub taints: Vec<Taint>,
    /// Whether it is cordoned.
    pub unschedulable: bool,
}

/// A taint of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taint {
    /// Its key.
    pub key: String,
    /// Its value; may be empty.
    pub value: String,
    /// What it does.
    pub effect: TaintEffect,
}

/// As `kubectl taint` writes it: `key=value:effect` or `key:effect`.
impl fmt::Display for Taint {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.key)?;
        if !self.value.is_empty() {
            write!(formatter, "={}", self.value)?;
        }
        write!(formatter, ":{}", self.effect.name())
    }
}

/// Why a JSON text gives no [`NodeFacts`].
#[derive(Debug, Error)]
pub enum NodeError {
    /// The text is not JSON, or not of a node's shape.
    #[error("the text is not a node's object")]
    NotANode(#[source] serde_json::Error),
    /// The object has no name.
    #[error("the node's object has no `metadata.name`")]
    Nameless,
}

#[derive(Deserialize)]
struct Node {
    metadata: Metadata,
    #[serde(default)]
    spec: Option<Spec>,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(default)]
    name: String,
    #[serde(default)]
    labels: Option<BTreeMap<String, String>>,
}

#[derive(Deserialize, Default)]
struct Spec {
    #[serde(default)]
    taints: Option<Vec<RawTaint>>,
    #[serde(default)]
    unschedulable: Option<bool>,
}

#[derive(Deserialize)]
struct RawTaint {
    key: String,
    #[serde(default)]
    value: Option<String>,
    effect: String,
}

impl NodeFacts {
    /// Reads the facts from a node's object as JSON text; everything else in it is skipped.
    ///
    /// A taint with an effect that Kubernetes does not have is left out, as its scheduler does.
    ///
    /// # Errors
    ///
    /// [`NodeError`] when the text is not a node.
    pub fn from_json(json: &[u8]) -> Result<Self, NodeError> {
        let node: Node = serde_json::from_slice(json).map_err(NodeError::NotANode)?;
        if node.metadata.name.is_empty() {
            return Err(NodeError::Nameless);
        }
        let spec = node.spec.unwrap_or_default();
        let taints = spec.taints.unwrap_or_default().into_iter().filter_map(|taint| {
            let effect = TaintEffect::named(&taint.effect)?;
            Some(Taint { key: taint.key, value: taint.value.unwrap_or_default(), effect })
        });
        Ok(Self {
            name: node.metadata.name,
            labels: node.metadata.labels.unwrap_or_default(),
            taints: taints.collect(),
            unschedulable: spec.unschedulable.unwrap_or(false),
        })
    }

    /// Returns the taints, with the one that cordoning stands for when the node's controller has not
    /// added it yet.
    pub(super) fn effective_taints(&self) -> impl Iterator<Item = Taint> + '_ {
        const UNSCHEDULABLE: &str = "node.kubernetes.io/unschedulable";
        let implied = self.unschedulable && !self.taints.iter().any(|taint| taint.key == UNSCHEDULABLE);
        let cordon = Taint { key: UNSCHEDULABLE.to_owned(), value: String::new(), effect: TaintEffect::NoSchedule };
        self.taints.iter().cloned().chain(implied.then_some(cordon))
    }
}
