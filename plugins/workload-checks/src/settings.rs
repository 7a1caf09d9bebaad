//! What the operator wants: severities, checks that are off, and exemptions.

use std::collections::BTreeMap;

use porthole_sdk::Failure;
use porthole_sdk::results::Severity;
use serde::Deserialize;
use serde_json::Value;

use crate::checks::{Check, Subject};
use crate::glob;

/// The settings as they are written.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Written {
    /// A severity, or `off`, which YAML 1.1 also reads as `false`.
    checks: BTreeMap<String, Value>,
    exemptions: Vec<Exemption>,
}

/// Objects that are not judged.
#[derive(Debug, Deserialize)]
pub(crate) struct Exemption {
    #[serde(default = "any")]
    namespace: String,
    #[serde(default = "any")]
    kind: String,
    #[serde(default = "any")]
    name: String,
    #[serde(default)]
    checks: Vec<String>,
    reason: String,
}

fn any() -> String {
    "*".to_owned()
}

/// The settings as they are used.
#[derive(Debug)]
pub(crate) struct Settings(Written);

impl Settings {
    /// Checks that every name is one: an exemption for a check that does not exist would never hold.
    pub(crate) fn read(written: Written, known: &[&str]) -> Result<Self, Failure> {
        let named = written.checks.keys().chain(written.exemptions.iter().flat_map(|exemption| &exemption.checks));
        for name in named {
            if !known.contains(&name.as_str()) {
                let known = known.join(", ");
                return Err(Failure::configuration(format!("there is no check `{name}` (checks: {known})")));
            }
        }
        Ok(Self(written))
    }

    /// Returns how much a check's findings matter; `None` when it is off.
    pub(crate) fn severity(&self, check: &Check) -> Option<Severity> {
        match self.0.checks.get(check.name) {
            None => Some(check.severity),
            Some(written) => Severity::deserialize(written).ok(),
        }
    }

    /// Returns why an object is not judged, if it is exempt.
    pub(crate) fn exemption(&self, check: &Check, subject: &Subject) -> Option<&str> {
        let exempt = |exemption: &&Exemption| {
            (exemption.checks.is_empty() || exemption.checks.iter().any(|name| name == check.name))
                && glob::matches(&exemption.namespace, &subject.namespace)
                && glob::matches(&exemption.kind, &subject.kind)
                && glob::matches(&exemption.name, &subject.name)
        };
        self.0.exemptions.iter().find(exempt).map(|exemption| exemption.reason.as_str())
    }
}
