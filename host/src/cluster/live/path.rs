//! URL paths of the Kubernetes API, built from names that may come from a plugin.

use std::fmt::Write as _;

use porthole_core::resource::ResourceType;

use crate::cluster::{ClusterError, Result};

/// Returns the path of a collection: `/api/v1/namespaces/shop/pods`, or of all namespaces.
pub(super) fn collection(resource_type: &ResourceType, namespace: Option<&str>) -> Result<String> {
    for (what, part) in [("version", &resource_type.version), ("resource", &resource_type.resource)] {
        if part.is_empty() {
            return Err(ClusterError::Invalid(format!("`{resource_type}` has no {what}")));
        }
    }
    let mut path = if resource_type.group.is_empty() {
        String::from("/api")
    } else {
        format!("/apis/{}", segment("API group", &resource_type.group)?)
    };
    path.push('/');
    path.push_str(&segment("version", &resource_type.version)?);
    if let Some(namespace) = namespace {
        path.push_str("/namespaces/");
        path.push_str(&segment("namespace", namespace)?);
    }
    path.push('/');
    path.push_str(&segment("resource", &resource_type.resource)?);
    Ok(path)
}

/// Returns the path of one object.
pub(super) fn object(resource_type: &ResourceType, namespace: Option<&str>, name: &str) -> Result<String> {
    Ok(format!("{}/{}", collection(resource_type, namespace)?, segment("name", name)?))
}

/// Returns `text` as one segment of a path.
///
/// The rule is Kubernetes' `ValidatePathSegmentName`: not empty, `.` or `..`, without `/` and `%`. The API
/// server decodes `%2F` before it routes, so a name with a slash could otherwise reach another object than
/// the one that was granted.
pub(super) fn segment(what: &str, text: &str) -> Result<String> {
    if text.is_empty() || text == "." || text == ".." || text.contains(['/', '%']) {
        return Err(ClusterError::Invalid(format!(
            "`{}` cannot be a {what}: it may not be empty, `.` or `..`, nor contain `/` or `%`",
            text.escape_debug()
        )));
    }
    Ok(encode(text))
}

/// Returns a query string with its question mark; empty when there are no pairs.
pub(super) fn query(pairs: &[(&str, String)]) -> String {
    let mut text = String::new();
    for (key, value) in pairs {
        text.push(if text.is_empty() { '?' } else { '&' });
        text.push_str(key);
        text.push('=');
        text.push_str(&encode(value));
    }
    text
}

/// Percent-encodes all but the unreserved characters of RFC 3986, section 2.3, and the colon of RBAC names.
fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            write!(encoded, "%{byte:02X}").expect("writing to a string cannot fail");
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_those_of_the_kubernetes_api() {
        let path =
            |group: &str, resource: &str, namespace| collection(&ResourceType::new(group, "v1", resource), namespace);
        assert_eq!(path("", "pods", Some("shop")), Ok("/api/v1/namespaces/shop/pods".into()));
        assert_eq!(path("apps", "deployments", None), Ok("/apis/apps/v1/deployments".into()));
        assert_eq!(
            object(&ResourceType::new("rbac.authorization.k8s.io", "v1", "clusterroles"), None, "system:node"),
            Ok("/apis/rbac.authorization.k8s.io/v1/clusterroles/system:node".into())
        );
    }

    #[test]
    fn a_name_cannot_leave_its_place() {
        let pods = ResourceType::new("", "v1", "pods");
        for name in ["", ".", "..", "../secrets/token", "a/log", "..%2Fsecrets", "%2e%2e"] {
            assert!(object(&pods, Some("shop"), name).is_err(), "{name}");
            assert!(collection(&pods, Some(name)).is_err(), "{name}");
        }
        assert!(collection(&ResourceType::new("", "v1", "pods/log"), None).is_err());
        assert!(collection(&ResourceType::new("..", "v1", "pods"), None).is_err());
        assert_eq!(object(&pods, None, "a?b#c d"), Ok("/api/v1/pods/a%3Fb%23c%20d".into()));
    }

    #[test]
    fn a_value_cannot_become_another_parameter() {
        let text = query(&[("labelSelector", "app=shop&limit=1".into()), ("limit", "500".into())]);
        assert_eq!(text, "?labelSelector=app%3Dshop%26limit%3D1&limit=500");
    }
}
