//! A plugin's settings: what the operator wrote, completed and checked against the plugin's JSON Schema.

mod defaults;

use jsonschema::{Draft, Retrieve, Uri, Validator};
use serde_json::{Map, Value};
use thiserror::Error;

/// Most faults that one error lists. Without it, one wrong list of settings would fill the screen.
const SHOWN_FAULTS: usize = 10;

/// Longest part of a fault's text that is shown, in characters: the validator repeats the whole value.
const FAULT_CHARACTERS: usize = 300;

/// Largest compiled form of one pattern of a schema, in bytes: 1 MiB. Without it, a pattern of twenty
/// characters (`\w{1000}{10}`) would take megabytes and the time to build them.
const PATTERN_BYTES: usize = 1024 * 1024;

/// Why settings cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// The settings are not a JSON object.
    #[error("the settings are {found}, and must be a map of settings by name")]
    NotAnObject {
        /// What they are, with its article.
        found: &'static str,
    },
    /// The settings break the schema.
    #[error("the settings break the plugin's schema: {}", listed(faults))]
    Invalid {
        /// What is wrong, in the order of the schema; at most ten.
        faults: Vec<Fault>,
    },
    /// The schema itself cannot be used; the fault lies in the plugin's manifest.
    #[error("the schema in the plugin's manifest is broken: {reason}")]
    BrokenSchema {
        /// What is wrong with it.
        reason: String,
    },
}

/// One place where settings break a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where, as a JSON pointer (RFC 6901); empty for the settings as a whole.
    pub pointer: String,
    /// What the schema wants, in the validator's words.
    pub message: String,
    /// Which part of the schema wants it, as a JSON pointer.
    pub schema_pointer: String,
}

fn listed(faults: &[Fault]) -> String {
    let line = |fault: &Fault| {
        let pointer = if fault.pointer.is_empty() { "/" } else { &fault.pointer };
        format!("`{pointer}`: {} (schema `{}`)", fault.message, fault.schema_pointer)
    };
    faults.iter().map(line).collect::<Vec<_>>().join("; ")
}

/// Completes the operator's settings with the schema's defaults and checks the result.
///
/// `None` as settings is the empty object. Without a schema any object is good. Defaults are filled in for
/// properties that are absent, at every depth, also in objects that are absent themselves and in the
/// elements of lists; `null` counts as a value. A default is checked like what the operator wrote.
///
/// # Errors
///
/// [`ConfigError`]; a schema that refers to another file or to the network is broken.
pub fn resolve(schema: Option<&Value>, operator_value: Option<&Value>) -> Result<Value, ConfigError> {
    let mut value = operator_value.cloned().unwrap_or_else(|| Value::Object(Map::new()));
    if !value.is_object() {
        return Err(ConfigError::NotAnObject { found: kind(&value) });
    }
    let Some(schema) = schema else { return Ok(value) };
    let validator = compile(schema)?;
    defaults::fill(schema, &mut value)?;
    let faults: Vec<Fault> = validator
        .iter_errors(&value)
        .take(SHOWN_FAULTS)
        .map(|error| Fault {
            pointer: error.instance_path().to_string(),
            message: error.to_string().chars().take(FAULT_CHARACTERS).collect(),
            schema_pointer: error.schema_path().to_string(),
        })
        .collect();
    if faults.is_empty() { Ok(value) } else { Err(ConfigError::Invalid { faults }) }
}

/// Checks that a schema can be used, so that a broken one is the manifest's error and not the run's.
///
/// # Errors
///
/// [`ConfigError::BrokenSchema`].
pub fn check_schema(schema: &Value) -> Result<(), ConfigError> {
    compile(schema).map(drop)
}

fn compile(schema: &Value) -> Result<Validator, ConfigError> {
    let broken = |reason: String| ConfigError::BrokenSchema { reason: reason.chars().take(FAULT_CHARACTERS).collect() };
    if let Some(reference) = foreign_reference(schema) {
        return Err(broken(format!(
            "`$ref: {reference}` leaves the schema; only references beginning with `#` are followed"
        )));
    }
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .with_retriever(NoRetrieval)
        // The linear engine: a plugin's own pattern must not be able to keep the host busy.
        .with_pattern_options(jsonschema::PatternOptions::regex().size_limit(PATTERN_BYTES))
        .build(schema)
        .map_err(|error| broken(format!("{error} (at `{}`)", error.instance_path())))
}

/// Returns the first reference that leaves the schema.
fn foreign_reference(schema: &Value) -> Option<&str> {
    match schema {
        Value::Object(map) => map.iter().find_map(|(key, value)| match value {
            Value::String(text) if matches!(key.as_str(), "$ref" | "$dynamicRef") && !text.starts_with('#') => {
                Some(text.as_str())
            }
            _ => foreign_reference(value),
        }),
        Value::Array(values) => values.iter().find_map(foreign_reference),
        _ => None,
    }
}

/// Refuses to fetch anything: neither the network nor the host's files are a plugin's to name.
struct NoRetrieval;

impl Retrieve for NoRetrieval {
    fn retrieve(&self, uri: &Uri<String>) -> Result<Value, Box<dyn std::error::Error + Send + Sync>> {
        Err(format!("`{uri}` is outside the schema, and nothing is fetched").into())
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "empty",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a map",
    }
}

#[cfg(test)]
mod tests;
