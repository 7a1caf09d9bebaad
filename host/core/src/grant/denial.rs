//! A refusal, and what the operator would have to write to lift it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Access, Verb};

/// What was missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// The plugin's manifest does not ask for it, so no grant can allow it.
    NotRequested,
    /// The plugin asks for it, and the operator has not granted it.
    NotGranted,
    /// It names something that cannot exist, so no rule can allow it.
    Malformed,
}

/// An access that was refused. The cluster was not asked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Denial {
    /// The verb.
    pub verb: Verb,
    /// The API group; empty for the core group.
    pub group: String,
    /// The resource, with its subresource where one was meant.
    pub resource: String,
    /// The namespace; empty for cluster-scoped objects, `*` for all namespaces.
    pub namespace: String,
    /// The object's name; empty when none was named.
    pub name: String,
    /// What was missing.
    pub missing: Missing,
}

impl Denial {
    pub(super) fn new(access: &Access, missing: Missing) -> Self {
        Self {
            verb: access.verb,
            group: access.group.clone(),
            resource: access.full_resource(),
            namespace: access.scope.as_str().to_owned(),
            name: access.name.clone().unwrap_or_default(),
            missing,
        }
    }

    /// Returns the narrowest rule that would allow the access, as one line of YAML for the list
    /// `kubernetes` of a grant.
    #[must_use]
    pub fn rule_line(&self) -> String {
        let mut line = format!(
            "- {{ apiGroups: [{}], resources: [{}], verbs: [{}]",
            yaml(&self.group),
            yaml(&self.resource),
            yaml(self.verb.as_str())
        );
        for (key, value) in [("namespaces", &self.namespace), ("names", &self.name)] {
            if !value.is_empty() {
                line.push_str(&format!(", {key}: [{}]", yaml(value)));
            }
        }
        line + " }"
    }

    /// Returns what would lift the refusal, as one line for people. `plugin` is the plugin's name.
    #[must_use]
    pub fn remedy(&self, plugin: &str) -> String {
        match self.missing {
            Missing::NotGranted => {
                format!("add to `kubernetes` in the grant of `{plugin}`: {}", self.rule_line())
            }
            Missing::NotRequested => format!(
                "the manifest of `{plugin}` does not ask for it, so no grant can allow it; its author would add to `spec.requests.kubernetes`: {}",
                self.rule_line()
            ),
            Missing::Malformed => format!(
                "no grant can allow it: `{plugin}` must name the resource by its lower-case plural (`pods`), the subresource apart from it, one namespace, and the object by its plain name"
            ),
        }
    }
}

impl fmt::Display for Denial {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self.missing {
            Missing::NotRequested => "not requested",
            Missing::NotGranted => "not granted",
            Missing::Malformed => "malformed",
        };
        write!(formatter, "{reason}: {} ", self.verb)?;
        if !self.group.is_empty() {
            write!(formatter, "{}/", self.group)?;
        }
        write!(formatter, "{}", self.resource)?;
        if !self.name.is_empty() {
            write!(formatter, " {}", self.name)?;
        }
        match self.namespace.as_str() {
            "" => Ok(()),
            "*" => formatter.write_str(" in all namespaces"),
            namespace => write!(formatter, " in namespace {namespace}"),
        }
    }
}

/// Quotes what YAML could read as something else than this text.
fn yaml(text: &str) -> String {
    let plain = text.bytes().next().is_some_and(|byte| byte.is_ascii_lowercase())
        && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-./".contains(&byte))
        && !matches!(text, "true" | "false" | "null" | "yes" | "no" | "on" | "off" | "y" | "n");
    if plain { text.to_owned() } else { format!("{text:?}") }
}
