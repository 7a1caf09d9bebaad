//! Turns YAML or JSON text into values, bounded whatever the text says.

use std::cell::Cell;
use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

use super::ManifestError;

/// Longest text that is read as a manifest, in bytes: 256 KiB. Without it, a plugin could make the host
/// hold and parse any amount of text before it is even registered.
pub const MANIFEST_BYTES: usize = 256 * 1024;

/// Most values that one text may expand to, aliases included. Without it, a few lines of nested aliases
/// (the "billion laughs") or one large anchor with many aliases would fill the memory: the parser itself
/// bounds only how often it jumps, not how much each jump copies.
pub const MANIFEST_VALUES: usize = 100_000;

/// Most bytes of keys and scalars that one text may expand to: 4 MiB. Without it, an alias to one long
/// string would be a thousand long strings.
pub const MANIFEST_EXPANDED_BYTES: usize = 4 * 1024 * 1024;

/// Deepest nesting of lists and maps. Without it, deep text would use up the stack of whoever walks it.
pub const MANIFEST_DEPTH: usize = 64;

/// Most `[` and `{` in a text of YAML, and most that are open at once. Without them, a text of nothing but
/// `[` would keep the YAML parser busy for half a minute: its time grows with the square of the nesting.
const BRACKETS: usize = 10_000;
const OPEN_BRACKETS: usize = 1_000;

/// Reads every document of `text`; documents that are empty or `null` are left out.
///
/// The budget is that of the whole file: texts inside texts (a `ConfigMap`) draw on the same one, because
/// an alias can repeat a small text that itself expands.
///
/// JSON is read as JSON, so that its errors are those of JSON. Keys that are numbers or booleans become
/// text, and `<<` merges maps, both as Kubernetes' tools read YAML.
///
/// # Errors
///
/// [`ManifestError::TooLarge`] and [`ManifestError::Syntax`]; the latter also for duplicate keys, tags and
/// texts that expand or nest beyond the bounds of this module.
pub(super) fn parse(text: &str, budget: &Budget) -> Result<Vec<Value>, ManifestError> {
    if text.len() > MANIFEST_BYTES {
        return Err(ManifestError::TooLarge { bytes: text.len(), limit: MANIFEST_BYTES });
    }
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim_start().starts_with('{')
        && let Some(value) = parse_json(text, budget)?
    {
        return Ok(vec![value]);
    }
    check_brackets(text)?;
    let mut documents = Vec::new();
    for document in serde_yaml::Deserializer::from_str(text) {
        match (Seed { budget, depth: 0 }).deserialize(document) {
            Ok(Value::Null) => {}
            Ok(value) => documents.push(value),
            // A text without any document is reported as one that ends early; it is merely empty.
            Err(error) if documents.is_empty() && is_blank(text) => {
                drop(error);
                return Ok(documents);
            }
            Err(error) => return Err(yaml_error(&error)),
        }
    }
    Ok(documents)
}

fn is_blank(text: &str) -> bool {
    text.lines().all(|line| {
        let line = line.trim();
        line.is_empty() || line.starts_with('#') || line == "---" || line == "..."
    })
}

/// Reads one JSON document, or returns `None` when the text is a YAML flow mapping instead.
fn parse_json(text: &str, budget: &Budget) -> Result<Option<Value>, ManifestError> {
    let untouched = (budget.values.get(), budget.bytes.get());
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let value = Seed { budget, depth: 0 }.deserialize(&mut deserializer);
    let error = match value.and_then(|value| deserializer.end().map(|()| value)) {
        Ok(value) => return Ok(Some(value)),
        Err(error) => error,
    };
    // Text that is YAML though not JSON (bare words as keys, comments) is read as YAML.
    if error.is_syntax() && check_syntax(text).is_ok() {
        budget.values.set(untouched.0);
        budget.bytes.set(untouched.1);
        return Ok(None);
    }
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message).to_owned();
    Err(ManifestError::Syntax { line: error.line(), column: error.column(), message })
}

/// Checks that every document of `text` is YAML, without expanding aliases: the cost is that of the text.
pub(super) fn check_syntax(text: &str) -> Result<(), ManifestError> {
    check_brackets(text)?;
    serde_yaml::Deserializer::from_str(text)
        .try_for_each(|document| IgnoredAny::deserialize(document).map(drop))
        .or_else(|error| if is_blank(text) { Ok(()) } else { Err(yaml_error(&error)) })
}

/// Counts brackets before the parser sees them. Brackets in quotes and comments count too: telling them apart
/// would need the parser.
fn check_brackets(text: &str) -> Result<(), ManifestError> {
    let (mut open, mut total) = (0_usize, 0_usize);
    for (number, line) in text.lines().enumerate() {
        for (column, byte) in line.bytes().enumerate() {
            match byte {
                b'[' | b'{' => (open, total) = (open + 1, total + 1),
                b']' | b'}' => open = open.saturating_sub(1),
                _ => {}
            }
            if open > OPEN_BRACKETS || total > BRACKETS {
                let message =
                    format!("more than {OPEN_BRACKETS} open brackets or {BRACKETS} brackets in all, in quotes or not");
                return Err(ManifestError::Syntax { line: number + 1, column: column + 1, message });
            }
        }
    }
    Ok(())
}

fn yaml_error(error: &serde_yaml::Error) -> ManifestError {
    let message = error.to_string();
    let Some(location) = error.location() else { return ManifestError::Unreadable { message } };
    let message = message.replace(&format!(" at line {} column {}", location.line(), location.column()), "");
    // The parser puts the path in front, which says nothing when it is as deep as a bomb.
    let message = match message.split_once(": ") {
        Some((path, rest)) if path.len() > 80 && !path.contains(' ') => rest.to_owned(),
        _ => message,
    };
    ManifestError::Syntax { line: location.line(), column: location.column(), message }
}

/// What is left of the bounds while one file is read.
pub(super) struct Budget {
    values: Cell<usize>,
    bytes: Cell<usize>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { values: Cell::new(MANIFEST_VALUES), bytes: Cell::new(MANIFEST_EXPANDED_BYTES) }
    }
}

impl Budget {
    fn take<E: serde::de::Error>(&self, bytes: usize) -> Result<(), E> {
        let Some(values) = self.values.get().checked_sub(1) else {
            return Err(E::custom(format_args!("the text expands to more than {MANIFEST_VALUES} values")));
        };
        let Some(bytes) = self.bytes.get().checked_sub(bytes) else {
            return Err(E::custom(format_args!("the text expands to more than {MANIFEST_EXPANDED_BYTES} bytes")));
        };
        self.values.set(values);
        self.bytes.set(bytes);
        Ok(())
    }
}

/// Reads one value and charges it to the budget before it is built.
#[derive(Clone, Copy)]
struct Seed<'a> {
    budget: &'a Budget,
    depth: usize,
}

impl Seed<'_> {
    fn deeper<E: serde::de::Error>(self) -> Result<Self, E> {
        if self.depth == MANIFEST_DEPTH {
            return Err(E::custom(format_args!("lists and maps nest deeper than {MANIFEST_DEPTH} levels")));
        }
        Ok(Self { depth: self.depth + 1, ..self })
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a value")
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<Value, E> {
        self.budget.take(1)?;
        Ok(Value::Bool(value))
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Value, E> {
        self.budget.take(8)?;
        Ok(Value::from(value))
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Value, E> {
        self.budget.take(8)?;
        Ok(Value::from(value))
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Value, E> {
        self.budget.take(8)?;
        Number::from_f64(value)
            .map(Value::Number)
            .ok_or_else(|| E::custom("`.nan` and `.inf` have no counterpart in JSON"))
    }

    fn visit_str<E: serde::de::Error>(self, value: &str) -> Result<Value, E> {
        self.budget.take(value.len())?;
        Ok(Value::String(value.to_owned()))
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Value, E> {
        self.budget.take(1)?;
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Value, A::Error> {
        self.budget.take(1)?;
        let inner = self.deeper()?;
        let mut values = Vec::new();
        while let Some(value) = sequence.next_element_seed(inner)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        self.budget.take(1)?;
        let inner = self.deeper()?;
        let mut map = Map::new();
        let mut merged = Vec::new();
        while let Some(Key(key)) = entries.next_key()? {
            self.budget.take(key.len())?;
            let value = entries.next_value_seed(inner)?;
            if key == "<<" {
                merged.push(value);
            } else if map.contains_key(&key) {
                return Err(A::Error::custom(format_args!("the map that begins here has the key `{key}` twice")));
            } else {
                map.insert(key, value);
            }
        }
        for value in merged {
            merge(&mut map, value).map_err(A::Error::custom)?;
        }
        Ok(Value::Object(map))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, _: A) -> Result<Value, A::Error> {
        Err(A::Error::custom("tags such as `!name` are not supported"))
    }
}

/// Adds the keys of a `<<` that the map does not have itself.
fn merge(map: &mut Map<String, Value>, value: Value) -> Result<(), &'static str> {
    match value {
        Value::Object(other) => {
            for (key, value) in other {
                map.entry(key).or_insert(value);
            }
            Ok(())
        }
        Value::Array(values) if values.iter().all(Value::is_object) => {
            values.into_iter().try_for_each(|value| merge(map, value))
        }
        _ => Err("`<<` merges maps, and this is none"),
    }
}

/// A key of a map; numbers and booleans are taken as they would be written.
struct Key(String);

impl<'de> Deserialize<'de> for Key {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl Visitor<'_> for KeyVisitor {
            type Value = Key;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a text as key")
            }

            fn visit_str<E>(self, value: &str) -> Result<Key, E> {
                Ok(Key(value.to_owned()))
            }

            fn visit_bool<E>(self, value: bool) -> Result<Key, E> {
                Ok(Key(value.to_string()))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Key, E> {
                Ok(Key(value.to_string()))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Key, E> {
                Ok(Key(value.to_string()))
            }
        }
        deserializer.deserialize_any(KeyVisitor)
    }
}

#[cfg(test)]
mod tests;
