//! Paths of a must-gather, which are those of `oc adm inspect`.

use super::{Hint, Instance, Layout, LogKey, Role, object_stem};

pub(super) fn role(parts: &[&str]) -> Option<Role> {
    match parts {
        [.., "cluster-scoped-resources", group, resource, file] if is_objects(file) => {
            Some(objects(group, resource, None))
        }
        [.., "cluster-scoped-resources", group, file] => Some(objects(group, object_stem(file)?, None)),
        [.., "namespaces", namespace, "pods", pod, container, _, "logs", file] => log(namespace, pod, container, file),
        [.., "namespaces", namespace, "pods", _, file] if is_objects(file) => {
            let Role::Objects(mut hint) = objects("core", "pods", Some(namespace)) else { return None };
            hint.version = Some("v1".to_owned());
            Some(Role::Objects(hint))
        }
        [.., "namespaces", namespace, file] if object_stem(file) == Some(namespace) => {
            let Role::Objects(mut hint) = objects("core", "namespaces", None) else { return None };
            hint.version = Some("v1".to_owned());
            Some(Role::Objects(hint))
        }
        [.., "namespaces", namespace, group, resource, file] if is_objects(file) => {
            Some(objects(group, resource, Some(namespace)))
        }
        [.., "namespaces", namespace, group, file] => Some(objects(group, object_stem(file)?, Some(namespace))),
        _ => None,
    }
}

fn is_objects(file: &str) -> bool {
    object_stem(file).is_some()
}

fn objects(group: &str, resource: &str, namespace: Option<&str>) -> Role {
    Role::Objects(Hint {
        group: Some(if group == "core" { String::new() } else { group.to_owned() }),
        version: None,
        resource: Some(resource.to_owned()),
        namespace: namespace.map(str::to_owned),
        layout: Layout::MustGather,
    })
}

fn log(namespace: &str, pod: &str, container: &str, file: &str) -> Option<Role> {
    let instance = match file {
        // The insecure ones were read from kubelets whose certificate was not valid.
        "current.log" | "current.insecure.log" => Instance::Current,
        "previous.log" | "previous.insecure.log" => Instance::Previous,
        _ => return None,
    };
    let [namespace, pod, container] = [namespace, pod, container].map(str::to_owned);
    Some(Role::Log(LogKey { namespace, pod, container, instance }))
}
