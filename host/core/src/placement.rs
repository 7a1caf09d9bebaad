//! Which nodes a per-node producer runs on, and why it does not run on the others.
//!
//! The rules are those of Kubernetes' `DaemonSet` controller: `nodeSelector`, required node affinity,
//! taints against tolerations, and the tolerations that the controller adds by itself
//! (<https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#taints-and-tolerations>).

mod affinity;
mod node;
mod toleration;

use std::collections::BTreeMap;
use std::fmt;

pub use affinity::{NodeAffinity, NodeRequirement, NodeSelectorTerm, Operator};
pub use node::{NodeError, NodeFacts, Taint};
pub use toleration::{TaintEffect, Toleration, TolerationOperator};

/// Where the targets of a per-node producer may be.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Placement {
    /// Labels that a node must have, with their values; empty for any node.
    pub node_selector: BTreeMap<String, String>,
    /// The required node affinity; `None` for any node.
    pub node_affinity: Option<NodeAffinity>,
    /// Taints that do not matter, besides those that the `DaemonSet` controller tolerates by itself.
    pub tolerations: Vec<Toleration>,
}

/// What [`Placement::place`] decided.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Targets {
    /// The names of the nodes that are targeted, sorted.
    pub nodes: Vec<String>,
    /// The names of the others with the first reason that was found, sorted by name.
    pub excluded: Vec<(String, Exclusion)>,
}

/// Why a node is not targeted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Exclusion {
    /// The node lacks a label of the `nodeSelector`, or has another value.
    NodeSelector {
        /// The label.
        key: String,
        /// The value that it must have.
        wanted: String,
        /// The value that it has; `None` without the label.
        found: Option<String>,
    },
    /// None of the terms of the required node affinity matches.
    NodeAffinity {
        /// For each term, the requirement that failed; empty when there are no terms that could match.
        unmet: Vec<NodeRequirement>,
    },
    /// The node has a taint that is not tolerated.
    Taint(Taint),
}

/// Completes the sentence "the node is not targeted: …".
impl fmt::Display for Exclusion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NodeSelector { key, wanted, found: None } => {
                write!(formatter, "nodeSelector wants the label `{key}={wanted}`, and the node has no `{key}`")
            }
            Self::NodeSelector { key, wanted, found: Some(found) } => {
                write!(formatter, "nodeSelector wants the label `{key}={wanted}`, and the node has `{key}={found}`")
            }
            Self::NodeAffinity { unmet } if unmet.is_empty() => {
                formatter.write_str("its node affinity has no term that could match any node")
            }
            Self::NodeAffinity { unmet } => {
                let unmet: Vec<_> = unmet.iter().map(|requirement| format!("`{requirement}`")).collect();
                write!(formatter, "node affinity wants {}", unmet.join(" or "))
            }
            Self::Taint(taint) => write!(formatter, "the taint `{taint}` is not tolerated"),
        }
    }
}

impl Placement {
    /// Divides `nodes` into those that are targeted and those that are not.
    ///
    /// A node that is cordoned (`spec.unschedulable`) is targeted like any other, as with a `DaemonSet`.
    /// Of two nodes with one name, the first counts.
    #[must_use]
    pub fn place<'a>(&self, nodes: impl IntoIterator<Item = &'a NodeFacts>) -> Targets {
        let mut verdicts: BTreeMap<&str, Option<Exclusion>> = BTreeMap::new();
        for node in nodes {
            verdicts.entry(&node.name).or_insert_with(|| self.exclusion(node));
        }
        let mut targets = Targets::default();
        for (name, exclusion) in verdicts {
            match exclusion {
                None => targets.nodes.push(name.to_owned()),
                Some(exclusion) => targets.excluded.push((name.to_owned(), exclusion)),
            }
        }
        targets
    }

    /// Returns why `node` is not targeted, or `None` if it is.
    #[must_use]
    pub fn exclusion(&self, node: &NodeFacts) -> Option<Exclusion> {
        for (key, wanted) in &self.node_selector {
            let found = node.labels.get(key);
            if found != Some(wanted) {
                return Some(Exclusion::NodeSelector {
                    key: key.clone(),
                    wanted: wanted.clone(),
                    found: found.cloned(),
                });
            }
        }
        if let Some(affinity) = &self.node_affinity
            && let Err(unmet) = affinity.check(node)
        {
            return Some(Exclusion::NodeAffinity { unmet });
        }
        node.effective_taints().find(|taint| !self.tolerates(taint)).map(Exclusion::Taint)
    }

    fn tolerates(&self, taint: &Taint) -> bool {
        taint.effect == TaintEffect::PreferNoSchedule
            || toleration::of_the_controller(taint)
            || self.tolerations.iter().any(|toleration| toleration.tolerates(taint))
    }
}

#[cfg(test)]
mod tests;
