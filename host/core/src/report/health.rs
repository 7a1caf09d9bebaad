//! The health of a cluster at the end of a run: `meta/clusterhealth.json`, with Sonobuoy's keys.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

/// What is known of the cluster's nodes, pods and logs.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ClusterHealth {
    /// The nodes, in the order in which they were listed.
    pub node_health: Health,
    /// The pods of all namespaces.
    pub pod_health: Health,
    /// The version of the API server, such as `v1.36.3`.
    pub api_version: String,
    /// `Errors` and `Warnings`: log file to number of lines. Both absent when there are none.
    #[serde(deserialize_with = "or_default")]
    pub error_summary: BTreeMap<String, BTreeMap<String, u64>>,
}

/// The health of all objects of one kind. The keys speak of nodes for pods too, as Sonobuoy's do.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Health {
    /// How many there are.
    #[serde(rename = "total_nodes")]
    pub total: u64,
    /// How many of them are healthy.
    #[serde(rename = "healthy_nodes")]
    pub healthy: u64,
    /// Each of them.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "or_default")]
    pub details: Vec<HealthDetail>,
}

/// The health of one object.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct HealthDetail {
    /// Its name.
    pub name: String,
    /// Whether it is healthy.
    pub healthy: bool,
    /// For a node the status of its `Ready` condition; for a healthy pod the word `Ready`.
    pub ready: String,
    /// The reason of the condition.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub reason: String,
    /// The message of the condition.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub message: String,
    /// Its namespace; empty for nodes.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub namespace: String,
}

fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(deserializer: D) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

impl ClusterHealth {
    /// Adds a Node: healthy when its `Ready` condition is `True`.
    pub fn add_node(&mut self, node: &Value) {
        let condition = conditions(node).find(|condition| text(condition, "/type") == "Ready");
        let ready = condition.map(|condition| text(condition, "/status")).unwrap_or_default();
        self.node_health.add(detail(node, ready == "True", ready, condition));
    }

    /// Adds a Pod: healthy when it runs or has succeeded, as Sonobuoy counts.
    ///
    /// For others the first condition that is not `True` says why.
    pub fn add_pod(&mut self, pod: &Value) {
        if matches!(text(pod, "/status/phase").as_str(), "Running" | "Succeeded") {
            self.pod_health.add(detail(pod, true, "Ready".to_owned(), None));
            return;
        }
        let condition = conditions(pod).find(|condition| text(condition, "/status") != "True");
        let ready = condition.map(|condition| text(condition, "/status")).unwrap_or_default();
        self.pod_health.add(detail(pod, false, ready, condition));
    }

    /// Adds what [`super::LogScan::finish`] says of the file at `path`.
    pub fn add_log(&mut self, path: &str, (errors, warnings): (u64, u64)) {
        for (kind, lines) in [("Errors", errors), ("Warnings", warnings)] {
            if lines > 0 {
                self.error_summary.entry(kind.to_owned()).or_default().insert(path.to_owned(), lines);
            }
        }
    }

    /// Returns the section `Run Details:` of `porthole results`.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!("Run Details:\nAPI Server version: {}\n", self.api_version);
        text.push_str(&self.node_health.line("Node health"));
        if self.node_health.healthy < self.node_health.total && !self.node_health.details.is_empty() {
            text.push_str("Details for failed nodes:\n");
            text.push_str(&self.node_health.unhealthy());
            text.push('\n');
        }
        if !self.pod_health.details.is_empty() {
            text.push_str(&self.pod_health.line("Pods health"));
            if self.pod_health.healthy < self.pod_health.total {
                text.push_str("Details for failed pods:\n");
                text.push_str(&self.pod_health.unhealthy());
            }
        }
        if !self.error_summary.is_empty() {
            text.push_str("Errors detected in files:\n");
        }
        for (kind, files) in &self.error_summary {
            let mut files: Vec<(&String, &u64)> = files.iter().collect();
            files.sort_by_key(|(name, lines)| (std::cmp::Reverse(**lines), *name));
            let width = files.first().map_or(0, |(_, lines)| lines.to_string().len());
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{kind}:");
            for (name, lines) in files {
                let _ = writeln!(text, "{lines:width$} {name}");
            }
        }
        text
    }
}

impl Health {
    fn add(&mut self, detail: HealthDetail) {
        self.total += 1;
        self.healthy += u64::from(detail.healthy);
        self.details.push(detail);
    }

    fn line(&self, name: &str) -> String {
        match self.healthy.saturating_mul(100).checked_div(self.total) {
            Some(percent) => format!("{name}: {}/{} ({percent}%)\n", self.healthy, self.total),
            None => format!("{name}: {}/{}\n", self.healthy, self.total),
        }
    }

    fn unhealthy(&self) -> String {
        let mut details: Vec<_> = self.details.iter().filter(|detail| !detail.healthy).collect();
        details.sort_by_key(|detail| (&detail.namespace, &detail.name));
        let mut text = String::new();
        for HealthDetail { name, ready, reason, message, namespace, .. } in details {
            let slash = if namespace.is_empty() { "" } else { "/" };
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{namespace}{slash}{name} Ready:{ready}: {reason}: {message}");
        }
        text
    }
}

fn conditions(object: &Value) -> impl Iterator<Item = &Value> {
    object.pointer("/status/conditions").and_then(Value::as_array).into_iter().flatten()
}

fn text(value: &Value, pointer: &str) -> String {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default().to_owned()
}

fn detail(object: &Value, healthy: bool, ready: String, condition: Option<&Value>) -> HealthDetail {
    HealthDetail {
        name: text(object, "/metadata/name"),
        healthy,
        ready,
        reason: condition.map(|condition| text(condition, "/reason")).unwrap_or_default(),
        message: condition.map(|condition| text(condition, "/message")).unwrap_or_default(),
        namespace: text(object, "/metadata/namespace"),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use serde_json::json;

    use super::*;

    #[test]
    fn nodes_pods_and_logs_are_summed_up() {
        let mut health = ClusterHealth { api_version: "v1.36.3".into(), ..ClusterHealth::default() };
        let ready = |status: &str| json!([{"type": "MemoryPressure", "status": "False"}, {"type": "Ready", "status": status, "reason": "R", "message": "m"}]);
        health.add_node(&json!({"metadata": {"name": "n1"}, "status": {"conditions": ready("True")}}));
        health.add_node(&json!({"metadata": {"name": "n2"}, "status": {"conditions": ready("Unknown")}}));
        health.add_node(&json!({}));
        health.add_pod(&json!({"metadata": {"name": "a", "namespace": "x"}, "status": {"phase": "Running"}}));
        health.add_pod(&json!({"metadata": {"name": "b", "namespace": "x"}, "status": {"phase": "Pending",
            "conditions": [{"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": "no room"}]}}));
        health.add_log("podlogs/x/a/logs/c.txt", (12, 0));
        health.add_log("podlogs/x/b/logs/c.txt", (3, 1));
        health.add_log("podlogs/x/d/logs/c.txt", (0, 0));
        expect![[r#"
            Run Details:
            API Server version: v1.36.3
            Node health: 1/3 (33%)
            Details for failed nodes:
             Ready:: : 
            n2 Ready:Unknown: R: m

            Pods health: 1/2 (50%)
            Details for failed pods:
            x/b Ready:False: Unschedulable: no room
            Errors detected in files:
            Errors:
            12 podlogs/x/a/logs/c.txt
             3 podlogs/x/b/logs/c.txt
            Warnings:
            1 podlogs/x/b/logs/c.txt
        "#]]
        .assert_eq(&health.text());
        expect![[r#"{"node_health":{"total_nodes":3,"healthy_nodes":1,"details":[{"name":"n1","healthy":true,"ready":"True","reason":"R","message":"m"},{"name":"n2","healthy":false,"ready":"Unknown","reason":"R","message":"m"},{"name":"","healthy":false,"ready":""}]},"pod_health":{"total_nodes":2,"healthy_nodes":1,"details":[{"name":"a","healthy":true,"ready":"Ready","namespace":"x"},{"name":"b","healthy":false,"ready":"False","reason":"Unschedulable","message":"no room","namespace":"x"}]},"api_version":"v1.36.3","error_summary":{"Errors":{"podlogs/x/a/logs/c.txt":12,"podlogs/x/b/logs/c.txt":3},"Warnings":{"podlogs/x/b/logs/c.txt":1}}}"#]].assert_eq(&serde_json::to_string(&health).expect("health is JSON"));
    }

    #[test]
    fn no_evidence_is_no_percentage() {
        expect![[r#"
            Run Details:
            API Server version: 
            Node health: 0/0
        "#]]
        .assert_eq(&ClusterHealth::default().text());
    }
}
