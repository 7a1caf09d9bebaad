//! The decision, the refusals and the grants file.

mod deny_matrix;
mod file;
mod properties;

use super::*;

/// `verb group resource[:subresource] scope name`, with `-` for none.
fn access(text: &str) -> Access {
    let parts: Vec<_> = text.split(' ').collect();
    let some = |part: &str| (part != "-").then(|| part.to_owned());
    let verb = serde_yaml::from_str(&format!("'{}'", parts[0])).expect("a verb");
    let (resource, subresource) = match parts[2].split_once(':') {
        Some((resource, subresource)) => (resource, Some(subresource.to_owned())),
        None => (parts[2], None),
    };
    Access {
        verb,
        group: some(parts[1]).unwrap_or_default(),
        resource: resource.to_owned(),
        subresource,
        scope: match parts[3] {
            "-" => Scope::Cluster,
            "*" => Scope::AllNamespaces,
            namespace => Scope::Namespace(namespace.to_owned()),
        },
        name: some(parts[4]),
    }
}

fn rules(yaml: &str) -> Requests {
    Requests { kubernetes: serde_yaml::from_str(yaml).expect("rules"), ..Requests::default() }
}

fn everything() -> Requests {
    rules(r#"[{ apiGroups: ["*"], resources: ["*", secrets, pods/log, pods/exec], verbs: ["*"], namespaces: ["*"] }]"#)
}
