//! The parts of objects that the checks look at. Unknown fields are ignored, missing ones are empty.

use std::collections::BTreeMap;
use std::ops::Deref;

use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// Reads `null` as nothing, as the API server's own clients do.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(deserializer: D) -> Result<T, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// A text, also where a manifest that no server has seen forgot the quotes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(match Value::deserialize(deserializer)? {
            Value::String(text) => text,
            Value::Null => String::new(),
            other => other.to_string(),
        }))
    }
}

impl Deref for Text {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

macro_rules! object {
    ($(#[$meta:meta])* $name:ident { $($field:ident: $type:ty),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Default, Deserialize)]
        #[serde(rename_all = "camelCase", default)]
        pub(crate) struct $name {
            $(#[serde(deserialize_with = "or_default")] pub(crate) $field: $type,)*
        }
    };
}

object!(
    /// Any object with a pod, a pod template, or neither.
    Object { metadata: Metadata, spec: Spec, data: BTreeMap<String, Text>, rules: Vec<Rule> }
);
object!(Metadata {
    name: String,
    namespace: String,
    labels: BTreeMap<String, String>,
    owner_references: Vec<Owner>,
});
object!(Owner { kind: String, name: String, controller: bool });
object!(
    /// The specification of a pod, of what makes pods, and of what selects them.
    Spec {
        containers: Vec<Container>,
        init_containers: Vec<Container>,
        ephemeral_containers: Vec<Container>,
        volumes: Vec<Volume>,
        host_network: bool,
        host_p_i_d: bool,
        host_i_p_c: bool,
        security_context: SecurityContext,
        service_account_name: String,
        automount_service_account_token: Option<bool>,
        affinity: Value,
        topology_spread_constraints: Vec<Value>,
        replicas: Option<i64>,
        template: Option<Box<Object>>,
        job_template: Option<Box<Object>>,
        selector: Value,
        pod_selector: Value,
        r#type: String,
    }
);
object!(Container {
    name: String,
    image: String,
    env: Vec<Variable>,
    env_from: Vec<Value>,
    resources: Resources,
    liveness_probe: Option<Value>,
    readiness_probe: Option<Value>,
    security_context: SecurityContext,
    volume_mounts: Vec<Value>,
});
object!(Variable { name: String, value: Text, value_from: Value });
object!(Resources { requests: BTreeMap<String, Value>, limits: BTreeMap<String, Value> });
object!(SecurityContext {
    run_as_non_root: Option<bool>,
    run_as_user: Option<i64>,
    privileged: Option<bool>,
    allow_privilege_escalation: Option<bool>,
    read_only_root_filesystem: Option<bool>,
    capabilities: Capabilities,
});
object!(Capabilities { add: Vec<String>, drop: Vec<String> });
object!(Volume { name: String, host_path: Option<HostPath> });
object!(HostPath { path: String });
object!(
    /// A rule of a role.
    Rule { api_groups: Vec<String>, resources: Vec<String>, verbs: Vec<String>, non_resource_u_r_ls: Vec<String> }
);

/// Whether a label selector in structured form (`matchLabels`, `matchExpressions`), or a plain map of labels
/// as Services have it, takes these labels. One that is not there takes nothing.
pub(crate) fn selects(selector: &Value, labels: &BTreeMap<String, String>) -> bool {
    let Some(map) = selector.as_object() else { return false };
    if !map.contains_key("matchLabels") && !map.contains_key("matchExpressions") {
        return map.iter().all(|(key, value)| labels.get(key).map(String::as_str) == value.as_str());
    }
    let pairs = map.get("matchLabels").and_then(Value::as_object);
    let equal = pairs
        .is_none_or(|pairs| pairs.iter().all(|(key, value)| labels.get(key).map(String::as_str) == value.as_str()));
    let expressions = map.get("matchExpressions").and_then(Value::as_array);
    equal && expressions.is_none_or(|expressions| expressions.iter().all(|expression| holds(expression, labels)))
}

fn holds(expression: &Value, labels: &BTreeMap<String, String>) -> bool {
    let label = expression["key"].as_str().and_then(|key| labels.get(key));
    let values: Vec<_> = expression["values"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    match expression["operator"].as_str() {
        Some("In") => label.is_some_and(|label| values.contains(&label.as_str())),
        Some("NotIn") => label.is_none_or(|label| !values.contains(&label.as_str())),
        Some("Exists") => label.is_some(),
        Some("DoesNotExist") => label.is_none(),
        // What is not known selects nothing, so that nothing passes by it.
        _ => false,
    }
}
