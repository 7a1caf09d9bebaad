//! What a run will do, known before it begins: the expected results, in their order.

use std::collections::BTreeMap;

use porthole_core::placement::{Exclusion, NodeFacts};

use super::Prepared;

/// The target of a plugin that runs once per cluster.
pub const GLOBAL: &str = "global";

/// What a run will do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Plan {
    /// Groups of targets, in the order in which they run; those of a group run side by side.
    pub groups: Vec<Vec<PlannedTarget>>,
    /// Nodes that a plugin leaves out, and why; sorted.
    pub excluded: Vec<(String, String, Exclusion)>,
    /// Plugins that have no target at all, with the reason.
    pub without_target: Vec<(String, String)>,
}

/// One expected result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedTarget {
    /// Which of the run's plugins.
    pub plugin: usize,
    /// A node's name, or [`GLOBAL`].
    pub target: String,
}

impl Plan {
    /// Plans the targets of `plugins`, sorted by `order`, then by name, then by node.
    ///
    /// `nodes` are the cluster's nodes, or why they are not known; only plugins that run per node need them.
    #[must_use]
    pub fn new(plugins: &[Prepared], nodes: &Result<Vec<NodeFacts>, String>) -> Self {
        let mut plan = Self::default();
        let mut groups: BTreeMap<i64, Vec<PlannedTarget>> = BTreeMap::new();
        let mut by_name: Vec<usize> = (0..plugins.len()).collect();
        by_name.sort_by_key(|index| plugins[*index].name());
        for index in by_name {
            let plugin = &plugins[index];
            let producer = plugin.producer();
            let group = groups.entry(producer.order).or_default();
            if !plugin.per_node() {
                group.push(PlannedTarget { plugin: index, target: GLOBAL.to_owned() });
                continue;
            }
            match nodes {
                Err(reason) => {
                    plan.without_target.push((plugin.name().to_owned(), format!("the nodes are not known: {reason}")));
                }
                Ok(nodes) => {
                    let targets = producer.placement.place(nodes);
                    if targets.nodes.is_empty() {
                        plan.without_target.push((plugin.name().to_owned(), no_node(nodes.len())));
                    }
                    group.extend(targets.nodes.into_iter().map(|target| PlannedTarget { plugin: index, target }));
                    let name = plugin.name();
                    plan.excluded.extend(targets.excluded.into_iter().map(|(node, why)| (name.to_owned(), node, why)));
                }
            }
        }
        plan.groups = groups.into_values().filter(|group| !group.is_empty()).collect();
        plan
    }

    /// Returns every target, in order.
    pub fn targets(&self) -> impl Iterator<Item = &PlannedTarget> {
        self.groups.iter().flatten()
    }
}

fn no_node(nodes: usize) -> String {
    match nodes {
        0 => "the cluster has no nodes".to_owned(),
        1 => "the cluster's one node does not match".to_owned(),
        nodes => format!("none of the cluster's {nodes} nodes matches"),
    }
}
