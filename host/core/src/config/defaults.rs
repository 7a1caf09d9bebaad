//! Fills in the defaults of a JSON Schema.
//!
//! The specification calls `default` an annotation and leaves its use to the application; the rules here
//! are those of Kubernetes' structural schemas, extended by local references.

use serde_json::{Map, Value};

use super::ConfigError;

/// Deepest chain of schemas that is followed. Without it, a schema that refers to itself would be
/// followed for ever.
const DEPTH: usize = 32;

/// Most defaults that are filled in for one plugin. Without it, references that fan out at every level
/// would make a small schema an endless document.
const DEFAULTS: usize = 10_000;

/// Most bytes of text that defaults may add for one plugin: 4 MiB. Without it, many references to one long
/// default would be as many copies of it.
const BYTES: usize = 4 * 1024 * 1024;

/// Most schemas that are looked at for one plugin; it bounds the time as [`DEFAULTS`] bounds the memory.
const STEPS: usize = 100_000;

/// Fills in the defaults of `schema` wherever `value` has nothing.
///
/// Followed are `properties`, `additionalProperties`, `items`, `allOf` and references within the schema.
/// An object that is absent is made only if it has a default itself or one of its properties has, and never
/// inside an object of its own schema: a tree's default is not an endless tree.
/// Alternatives (`anyOf`, `oneOf`, `if`) give no defaults: it is not known which of them holds.
///
/// # Errors
///
/// [`ConfigError::BrokenSchema`] when there are too many defaults.
pub(super) fn fill(schema: &Value, value: &mut Value) -> Result<(), ConfigError> {
    Filler { root: schema, open: Vec::new(), defaults: 0, bytes: 0, steps: 0 }.fill(schema, value, 0)
}

struct Filler<'a> {
    root: &'a Value,
    /// The schemas that are being filled, outermost first.
    open: Vec<&'a Value>,
    defaults: usize,
    bytes: usize,
    steps: usize,
}

impl<'a> Filler<'a> {
    fn fill(&mut self, schema: &'a Value, value: &mut Value, depth: usize) -> Result<(), ConfigError> {
        self.open.push(schema);
        self.fill_open(schema, value, depth)?;
        self.open.pop();
        Ok(())
    }

    fn fill_open(&mut self, schema: &'a Value, value: &mut Value, depth: usize) -> Result<(), ConfigError> {
        let Some(schema) = schema.as_object() else { return Ok(()) };
        self.step()?;
        if depth == DEPTH {
            return Ok(());
        }
        for schema in self.also(schema) {
            self.fill(schema, value, depth + 1)?;
        }
        match value {
            Value::Object(map) => self.fill_object(schema, map, depth),
            Value::Array(values) => {
                let Some(items) = schema.get("items") else { return Ok(()) };
                values.iter_mut().try_for_each(|value| self.fill(items, value, depth + 1))
            }
            _ => Ok(()),
        }
    }

    fn fill_object(
        &mut self,
        schema: &'a Map<String, Value>,
        map: &mut Map<String, Value>,
        depth: usize,
    ) -> Result<(), ConfigError> {
        let properties = schema.get("properties").and_then(Value::as_object);
        for (name, property) in properties.into_iter().flatten() {
            match map.get_mut(name) {
                Some(value) => self.fill(property, value, depth + 1)?,
                None => {
                    if let Some(value) = self.made(property, depth + 1)? {
                        self.defaults += 1;
                        map.insert(name.clone(), value);
                    }
                }
            }
        }
        let Some(additional) = schema.get("additionalProperties") else { return Ok(()) };
        for (name, value) in map.iter_mut() {
            if properties.is_none_or(|properties| !properties.contains_key(name)) {
                self.fill(additional, value, depth + 1)?;
            }
        }
        Ok(())
    }

    /// Returns what an absent value becomes, or `None` if it stays absent.
    fn made(&mut self, schema: &'a Value, depth: usize) -> Result<Option<Value>, ConfigError> {
        if let Some(mut value) = self.own_default(schema, depth)? {
            self.fill(schema, &mut value, depth)?;
            return Ok(Some(value));
        }
        let also = schema.as_object().map(|schema| self.also(schema)).unwrap_or_default();
        if also.iter().any(|also| self.open.iter().any(|open| std::ptr::eq(*open, *also))) {
            return Ok(None);
        }
        let mut value = Value::Object(Map::new());
        self.fill(schema, &mut value, depth)?;
        let filled = value.as_object().is_some_and(|map| !map.is_empty());
        Ok(filled.then_some(value))
    }

    fn own_default(&mut self, schema: &'a Value, depth: usize) -> Result<Option<Value>, ConfigError> {
        self.step()?;
        let Some(schema) = schema.as_object().filter(|_| depth < DEPTH) else { return Ok(None) };
        if let Some(value) = schema.get("default") {
            self.bytes += weight(value);
            self.step()?;
            return Ok(Some(value.clone()));
        }
        for schema in self.also(schema) {
            if let Some(value) = self.own_default(schema, depth + 1)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Returns the schemas that hold for the same value: the one referred to, and those of `allOf`.
    fn also(&self, schema: &'a Map<String, Value>) -> Vec<&'a Value> {
        let referred = schema.get("$ref").and_then(Value::as_str).and_then(|reference| {
            let pointer = reference.strip_prefix('#')?;
            self.root.pointer(pointer)
        });
        let all = schema.get("allOf").and_then(Value::as_array);
        referred.into_iter().chain(all.into_iter().flatten()).collect()
    }

    fn step(&mut self) -> Result<(), ConfigError> {
        self.steps += 1;
        if self.steps > STEPS || self.defaults > DEFAULTS || self.bytes > BYTES {
            return Err(ConfigError::BrokenSchema {
                reason: format!(
                    "it gives more than {DEFAULTS} defaults or {BYTES} bytes of them, or refers to itself too often"
                ),
            });
        }
        Ok(())
    }
}

/// Returns about how many bytes a copy of `value` takes.
fn weight(value: &Value) -> usize {
    const EACH: usize = 32;
    match value {
        Value::String(text) => EACH + text.len(),
        Value::Array(values) => EACH + values.iter().map(weight).sum::<usize>(),
        Value::Object(map) => EACH + map.iter().map(|(key, value)| EACH + key.len() + weight(value)).sum::<usize>(),
        _ => EACH,
    }
}
