//! Which lists are merged by key, and by which one.

use serde_json::Value;

/// Names the keys of the items of the list in `field`; empty for lists that are replaced whole.
///
/// The well-known lists of the built-in kinds only: without schemas nothing else can be told. Source: the
/// `x-kubernetes-list-map-keys` of Kubernetes' `OpenAPI` document.
pub(super) fn keys(field: &str, items: &[Value]) -> &'static [&'static str] {
    let keys: &[&str] = match field {
        "containers"
        | "initContainers"
        | "ephemeralContainers"
        | "env"
        | "volumes"
        | "imagePullSecrets"
        | "resourceClaims" => &["name"],
        "volumeMounts" => &["mountPath"],
        "volumeDevices" => &["devicePath"],
        "conditions" => &["type"],
        "hostAliases" => &["ip"],
        "ownerReferences" => &["uid"],
        "topologySpreadConstraints" => &["topologyKey", "whenUnsatisfiable"],
        "ports" if items.iter().all(|item| item.get("containerPort").is_some()) => &["containerPort", "protocol"],
        "ports" if items.iter().all(|item| item.get("port").is_some()) => &["port", "protocol"],
        _ => &[],
    };
    let has_key = |item: &Value| keys.first().is_some_and(|key| item.get(key).is_some());
    if items.iter().all(has_key) { keys } else { &[] }
}

/// Returns what tells an item from the others of its list, as the key part of a managed field.
pub(super) fn key_of(item: &Value, keys: &[&str]) -> String {
    let value = |key: &&str| {
        // The one key that the server fills in when it is missing.
        let default = if *key == "protocol" { Value::String("TCP".to_owned()) } else { Value::Null };
        ((*key).to_owned(), item.get(key).cloned().unwrap_or(default))
    };
    Value::Object(keys.iter().map(value).collect()).to_string()
}
