//! Evicting pods, which disruption budgets can forbid.

use porthole_core::resource::ResourceType;
use serde_json::{Value, json};

use super::{delete, finish, not_found, stored_value};
use crate::cluster::snapshot::store::Store;
use crate::cluster::{ClusterError, DeleteQuery, Object, Propagation, Result, Status, Target, WriteMode};

pub(super) fn evict(store: &mut Store, namespace: &str, pod: &str, mode: WriteMode) -> Result<()> {
    let pods = ResourceType::new("", "v1", "pods");
    let object = store.object(&pods, namespace, pod).cloned().ok_or_else(|| not_found(&pods, namespace, pod))?;
    let phase = stored_value(&object)?.pointer("/status/phase").and_then(Value::as_str).map(str::to_owned);
    // A pod that has ended disrupts nothing (kubernetes/pkg/registry/core/pod/storage/eviction.go).
    let is_over = matches!(phase.as_deref(), Some("Succeeded" | "Failed" | "Pending"));
    let budgets = if is_over { Vec::new() } else { budgets(store, namespace, &object)? };
    if budgets.len() > 1 {
        return Err(refused(
            500,
            "InternalError",
            "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.",
        ));
    }
    for (resource, mut budget) in budgets {
        let allowed = budget.pointer("/status/disruptionsAllowed").and_then(Value::as_i64).unwrap_or(0);
        if allowed < 1 {
            return Err(refused(
                429,
                "TooManyRequests",
                "Cannot evict pod as it would violate the pod's disruption budget.",
            ));
        }
        if let Some(status) = budget.get_mut("status").and_then(Value::as_object_mut) {
            status.insert("disruptionsAllowed".to_owned(), json!(allowed - 1));
        }
        finish(store, &resource, budget, mode)?;
    }
    let target = Target { resource_type: pods, namespace: Some(namespace.to_owned()), name: pod.to_owned() };
    let query = DeleteQuery { grace_period_seconds: None, propagation: Propagation::Background, uid: None };
    delete::delete(store, &target, &query, mode)
}

fn refused(code: u16, reason: &str, message: &str) -> ClusterError {
    ClusterError::Refused(Status { code, reason: reason.to_owned(), message: message.to_owned() })
}

/// Returns the budgets that choose the pod, of the best recorded version.
fn budgets(store: &Store, namespace: &str, pod: &Object) -> Result<Vec<(ResourceType, Value)>> {
    let Ok((resource, collection)) = store.resolve(&ResourceType::new("policy", "", "poddisruptionbudgets")) else {
        return Ok(Vec::new());
    };
    let mut found = Vec::new();
    for object in collection.objects.values().filter(|object| object.namespace() == Some(namespace)) {
        let value = stored_value(object)?;
        if value.pointer("/spec/selector").is_some_and(|selector| chooses(selector, pod, &resource.version)) {
            found.push((resource.clone(), value));
        }
    }
    Ok(found)
}

/// Evaluates a `LabelSelector`. An empty one chooses all pods in `v1` and none in `v1beta1`.
fn chooses(selector: &Value, pod: &Object, version: &str) -> bool {
    let label = |key: &str| pod.labels().get(key).map(String::as_str);
    let labels = selector.get("matchLabels").and_then(Value::as_object);
    let expressions = selector.get("matchExpressions").and_then(Value::as_array);
    if labels.is_none_or(serde_json::Map::is_empty) && expressions.is_none_or(Vec::is_empty) {
        return version == "v1";
    }
    labels.into_iter().flatten().all(|(key, value)| label(key) == value.as_str())
        && expressions.into_iter().flatten().all(|expression| {
            let text = |field: &str| expression.get(field).and_then(Value::as_str).unwrap_or_default();
            let found = label(text("key"));
            let values = expression.get("values").and_then(Value::as_array);
            let is_listed = values.into_iter().flatten().any(|value| value.as_str() == found && found.is_some());
            match text("operator") {
                "In" => is_listed,
                "NotIn" => !is_listed,
                "Exists" => found.is_some(),
                "DoesNotExist" => found.is_none(),
                _ => false,
            }
        })
}
