//! The parts of pod and container specs that mean something to a component.

use std::collections::BTreeMap;

use super::document;
use super::keys::Keys;
use super::{Driver, ManifestError, PluginManifest, Producer};
use crate::placement::{
    NodeAffinity, NodeRequirement, NodeSelectorTerm, Operator, Placement, TaintEffect, Toleration, TolerationOperator,
};

/// Reads a container: `image` names the component, `command`, `args` and `env` are the program's.
///
/// The first word of `command` is the program inside an image; the component takes its place.
pub(super) fn container(
    spec: &Keys<'_>,
    producer: &mut Producer,
    manifest: &mut PluginManifest,
) -> Result<(), ManifestError> {
    manifest.component = match spec.text("image")? {
        Some(image) if !image.is_empty() => Some(component_path(spec, "image", image)?),
        _ => spec.text("component")?.map(|path| component_path(spec, "component", path)).transpose()?,
    };
    producer.args = spec.texts("command")?.into_iter().skip(1).chain(spec.texts("args")?).collect();
    producer.env = environment(spec, &mut manifest.notices)?;
    Ok(())
}

/// Checks that a text is the path of a component's file.
pub(super) fn component_path(keys: &Keys<'_>, key: &str, text: String) -> Result<String, ManifestError> {
    if text.contains("://") {
        return Err(keys.invalid(key, &text, "it must be a path on this machine; fetch the file first"));
    }
    if !text.ends_with(".wasm") {
        let image = text.chars().take(200).collect();
        return Err(ManifestError::ContainerImage { path: keys.path(key), image });
    }
    Ok(text)
}

/// Reads `env`: names with values. A value that comes from elsewhere is left out, and said.
pub(super) fn environment(keys: &Keys<'_>, notices: &mut Vec<String>) -> Result<Vec<(String, String)>, ManifestError> {
    let mut variables = Vec::new();
    for variable in keys.maps("env")? {
        let name = variable.required_text("name", "it names the variable")?;
        if name.contains(['=', '\0']) {
            return Err(variable.invalid("name", &name, "a variable's name has no `=`"));
        }
        if variable.get("valueFrom").is_some() {
            notices.push(format!(
                "`{}` is not set: `valueFrom` has no meaning without a pod (`NODE_NAME` is always set per node)",
                name.chars().take(60).collect::<String>()
            ));
            continue;
        }
        variables.push((name, variable.text("value")?.unwrap_or_default()));
    }
    Ok(variables)
}

/// Reads Sonobuoy's `podSpec`. Without one, a `DaemonSet` tolerates everything: that is Sonobuoy's default.
pub(super) fn placement(keys: &Keys<'_>, driver: Driver) -> Result<Placement, ManifestError> {
    let Some(pod) = keys.map("podSpec")? else {
        let everywhere = driver == Driver::DaemonSet;
        let tolerations = if everywhere { vec![Toleration::everything()] } else { Vec::new() };
        return Ok(Placement { tolerations, ..Placement::default() });
    };
    let affinity = pod.map("affinity")?.map(|keys| keys.map("nodeAffinity")).transpose()?.flatten();
    Ok(Placement {
        node_selector: pod.text_map("nodeSelector")?.into_iter().collect(),
        node_affinity: affinity.map(|keys| node_affinity(&keys)).transpose()?.flatten(),
        tolerations: tolerations(&pod)?,
    })
}

/// Reads the required part of a node affinity; `None` without one. The preferred part only sorts nodes.
pub(super) fn node_affinity(keys: &Keys<'_>) -> Result<Option<NodeAffinity>, ManifestError> {
    let Some(required) = keys.map("requiredDuringSchedulingIgnoredDuringExecution")? else { return Ok(None) };
    let terms = required.maps("nodeSelectorTerms")?;
    let terms = terms.iter().map(|term| {
        Ok(NodeSelectorTerm {
            match_expressions: requirements(term, "matchExpressions")?,
            match_fields: requirements(term, "matchFields")?,
        })
    });
    Ok(Some(NodeAffinity { terms: terms.collect::<Result<_, _>>()? }))
}

fn requirements(term: &Keys<'_>, key: &str) -> Result<Vec<NodeRequirement>, ManifestError> {
    term.maps(key)?.iter().map(|keys| requirement(keys, key == "matchFields")).collect::<Result<_, _>>()
}

fn requirement(keys: &Keys<'_>, of_field: bool) -> Result<NodeRequirement, ManifestError> {
    let key = keys.required_text("key", "it names the label or field")?;
    if of_field && key != "metadata.name" {
        return Err(keys.invalid("key", &key, "the only field that can be matched is `metadata.name`"));
    }
    let name = keys.required_text("operator", "it says how to compare")?;
    let Some(operator) = Operator::named(&name) else {
        return Err(keys.invalid("operator", &name, format!("it must be one of {}", Operator::NAMES.join(", "))));
    };
    let values = keys.texts("values")?;
    let sound = match operator {
        Operator::In | Operator::NotIn => !values.is_empty(),
        Operator::Exists | Operator::DoesNotExist => values.is_empty(),
        Operator::Gt | Operator::Lt => values.len() == 1 && values[0].parse::<i64>().is_ok(),
    };
    if !sound {
        let reason = "`In` and `NotIn` need `values`, `Exists` and `DoesNotExist` have none, \
                      `Gt` and `Lt` have exactly one integer (in quotes)";
        return Err(keys.invalid("operator", &name, reason));
    }
    Ok(NodeRequirement { key, operator, values })
}

/// Reads `tolerations`; empty when they are not there.
pub(super) fn tolerations(keys: &Keys<'_>) -> Result<Vec<Toleration>, ManifestError> {
    keys.maps("tolerations")?.iter().map(toleration).collect()
}

fn toleration(keys: &Keys<'_>) -> Result<Toleration, ManifestError> {
    let operator = match keys.text("operator")?.as_deref() {
        None | Some("" | "Equal") => TolerationOperator::Equal,
        Some("Exists") => TolerationOperator::Exists,
        Some(other) => return Err(keys.invalid("operator", other, "it must be `Equal` or `Exists`")),
    };
    let effect = match keys.text("effect")?.as_deref() {
        None | Some("") => None,
        Some(name) => Some(TaintEffect::named(name).ok_or_else(|| {
            keys.invalid("effect", name, format!("it must be one of {}", TaintEffect::NAMES.join(", ")))
        })?),
    };
    let key = keys.text("key")?.unwrap_or_default();
    if key.is_empty() && operator == TolerationOperator::Equal {
        return Err(keys.invalid("operator", "Equal", "a toleration without a `key` needs the operator `Exists`"));
    }
    Ok(Toleration { key, operator, value: keys.text("value")?.unwrap_or_default(), effect })
}

/// Reads files by name. Names must be plain, and what is called YAML or JSON must be that.
pub(super) fn config_files(keys: &Keys<'_>, key: &str) -> Result<BTreeMap<String, String>, ManifestError> {
    let mut files = BTreeMap::new();
    for (name, text) in keys.text_map(key)? {
        let plain = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
        if name.is_empty() || name.len() > 253 || name.starts_with("..") || name == "." || !name.chars().all(plain) {
            return Err(keys.invalid(key, &name, "a file's name has only letters, digits, `-`, `_` and `.`"));
        }
        if [".yml", ".yaml", ".json"].iter().any(|ending| name.ends_with(ending)) {
            document::check_syntax(&text).map_err(|source| ManifestError::InvalidPart {
                path: format!("{}.{name}", keys.path(key)),
                reason: source.to_string(),
            })?;
        }
        files.insert(name, text);
    }
    Ok(files)
}
