//! Findings: the failed items of a plugin, with what a person needs to act on them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::results::item::{META_FILE, META_TYPE, TYPE_NODE};
use crate::results::{Item, Status};

use super::plugin_text::test_name;
use super::wrap::one_line;

/// How much a finding matters, as its plugin says; the most important first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Act now.
    Critical,
    /// Act soon.
    High,
    /// Plan to act.
    Medium,
    /// Good to know, better to fix.
    Low,
    /// Good to know.
    Info,
    /// The plugin does not say.
    #[default]
    Unrated,
}

impl Severity {
    /// Returns the word; `-` when the plugin does not say.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Critical => "critical",
            Self::High => "high",
            Self::Medium => "medium",
            Self::Low => "low",
            Self::Info => "info",
            Self::Unrated => "-",
        }
    }

    /// Reads the word in any case; anything else is unrated.
    #[must_use]
    pub fn parse(word: &str) -> Self {
        let known = [Self::Critical, Self::High, Self::Medium, Self::Low, Self::Info];
        known.into_iter().find(|severity| severity.as_str().eq_ignore_ascii_case(word)).unwrap_or_default()
    }
}

/// A failed item. All texts are single lines without control characters.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// The plugin that found it.
    pub plugin: String,
    /// How much it matters.
    pub severity: Severity,
    /// What was checked; the item's name when its details do not say.
    pub check: String,
    /// The object, as `Kind namespace/name`; the node, or empty, when the details do not say.
    pub object: String,
    /// What is wrong; may be empty.
    pub message: String,
    /// What to do about it; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub remedy: String,
    /// Failed or timed out.
    pub status: Status,
    /// The names above the item and its own, joined by `|`.
    pub path: String,
}

/// Why a plugin gave no result on a target.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PluginError {
    /// The node, or `global`.
    pub target: String,
    /// The reason.
    pub message: String,
}

/// Returns the failed leaves of a plugin's tree, sorted by severity, object and check.
///
/// Error results are not among them; [`errors`] has those.
#[must_use]
pub fn findings(root: &Item) -> Vec<Finding> {
    let mut found = Vec::new();
    let nodes = nodes_of(root);
    root.for_each_leaf(&mut |path, leaf| {
        if leaf.status.is_failure() && error_target(leaf).is_none() {
            let node = path.get(1).copied().filter(|name| nodes.contains(name));
            found.push(finding(&root.name, path, leaf, node));
        }
    });
    sort(&mut found);
    found
}

/// Sorts findings of several plugins by severity, object, check and plugin.
pub fn sort(findings: &mut [Finding]) {
    findings.sort_by(|left, right| {
        let key = |finding: &Finding| {
            (finding.severity, finding.object.clone(), finding.check.clone(), finding.plugin.clone())
        };
        key(left).cmp(&key(right))
    });
}

/// Returns the error results of a plugin's tree, in its order.
#[must_use]
pub fn errors(root: &Item) -> Vec<PluginError> {
    let mut errors = Vec::new();
    root.for_each_leaf(&mut |_, leaf| {
        if let Some(target) = error_target(leaf) {
            errors.push(PluginError { target, message: one_line(&leaf.name) });
        }
    });
    errors
}

/// Returns the target of an error result, from the place of its file.
fn error_target(leaf: &Item) -> Option<String> {
    let below = leaf.meta.get(META_FILE)?.strip_prefix("errors/")?;
    Some(below.split_once('/').map_or("global", |(target, _)| target).to_owned())
}

fn nodes_of(root: &Item) -> std::collections::BTreeSet<&str> {
    let is_node = |item: &&Item| item.meta.get(META_TYPE).is_some_and(|kind| kind == TYPE_NODE);
    root.items.iter().filter(is_node).map(|item| item.name.as_str()).collect()
}

fn finding(plugin: &str, path: &[&str], leaf: &Item, node: Option<&str>) -> Finding {
    let text = |key: &str| leaf.details.get(key).and_then(Value::as_str).map(one_line).filter(|text| !text.is_empty());
    let first_line = |key: &str| {
        let text = leaf.details.get(key).and_then(Value::as_str)?;
        text.lines().map(one_line).find(|line| !line.is_empty())
    };
    let mut names = path.to_vec();
    names.push(&leaf.name);
    Finding {
        plugin: one_line(plugin),
        severity: text("severity").map(|word| Severity::parse(&word)).unwrap_or_default(),
        check: text("check").unwrap_or_else(|| one_line(test_name(&leaf.name))),
        object: leaf.details.get("object").and_then(object).or_else(|| node.map(one_line)).unwrap_or_default(),
        message: text("message")
            .or_else(|| first_line("failure"))
            .or_else(|| first_line("error"))
            .or_else(|| first_line("output"))
            .unwrap_or_default(),
        remedy: text("remedy").unwrap_or_default(),
        status: leaf.status.clone(),
        path: one_line(&names.join("|")),
    }
}

/// Reads an object: a text as it is, or kind, namespace and name.
fn object(value: &Value) -> Option<String> {
    if let Some(text) = value.as_str() {
        return Some(one_line(text)).filter(|text| !text.is_empty());
    }
    let part = |key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default();
    let (kind, namespace, name) = (part("kind"), part("namespace"), part("name"));
    let slash = if namespace.is_empty() { "" } else { "/" };
    Some(one_line(&format!("{kind} {namespace}{slash}{name}"))).filter(|text| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn leaf(name: &str, details: Value) -> Item {
        Item {
            details: serde_json::from_value(details).expect("details are an object"),
            ..Item::new(name, Status::Failed)
        }
    }

    #[test]
    fn findings_are_sorted_and_filled_in_from_what_is_there() {
        let root = Item::summary(
            "p",
            vec![
                Item::node(
                    "n1",
                    vec![
                        leaf("z", json!({"failure": "\n /a.go:1\nmore"})),
                        leaf(
                            "y",
                            json!({"severity": "HIGH", "object": {"kind": "Pod", "namespace": "a", "name": "b"}, "check": "c", "message": "m\x1b[0m"}),
                        ),
                        leaf("x", json!({"severity": "critical", "object": "Node n1"})),
                        Item::new("fine", Status::Passed),
                    ],
                ),
                Item::node("n2", vec![Item::new("gone", Status::Timeout).with_meta(META_FILE, "errors/n2/error.json")]),
            ],
        );
        let rows: Vec<String> = findings(&root)
            .into_iter()
            .map(|f| format!("{} {} [{}] {} {}", f.severity.as_str(), f.check, f.object, f.message, f.path))
            .collect();
        assert_eq!(rows, ["critical x [Node n1]  p|n1|x", "high c [Pod a/b] m [0m p|n1|y", "- z [n1] /a.go:1 p|n1|z"]);
        assert_eq!(errors(&root), [PluginError { target: "n2".into(), message: "gone".into() }]);
    }
}
