//! Reads the keys of one map of a manifest, and knows where it stands in the document.

use std::time::Duration;

use serde_json::{Map, Value};

use super::ManifestError;

/// Longest part of a value that an error repeats, in characters.
const SHOWN_CHARACTERS: usize = 120;

/// One map of a manifest together with its path from the document's root.
#[derive(Clone)]
pub(super) struct Keys<'a> {
    map: &'a Map<String, Value>,
    path: String,
}

impl<'a> Keys<'a> {
    /// Returns the document's own keys.
    pub(super) fn root(map: &'a Map<String, Value>) -> Self {
        Self { map, path: String::new() }
    }

    /// Returns the path of `key` in this map.
    pub(super) fn path(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Returns the value of a key; `null` counts as absent, as in Kubernetes.
    pub(super) fn get(&self, key: &str) -> Option<&'a Value> {
        self.map.get(key).filter(|value| !value.is_null())
    }

    /// Returns the keys and values of this map.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'a String, &'a Value)> + use<'a> {
        self.map.iter()
    }

    /// Fails if there is a key that `known` does not list.
    pub(super) fn refuse_unknown(&self, known: &'static [&'static str]) -> Result<(), ManifestError> {
        match self.map.keys().find(|key| !known.contains(&key.as_str())) {
            Some(key) => Err(ManifestError::UnknownKey { path: self.path(key), known }),
            None => Ok(()),
        }
    }

    /// Reads a text; `None` when it is not there.
    pub(super) fn text(&self, key: &str) -> Result<Option<String>, ManifestError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => Err(wrong_type(self.path(key), other, "a text")),
        }
    }

    /// Reads a text that must be there and not be empty.
    pub(super) fn required_text(&self, key: &str, purpose: &'static str) -> Result<String, ManifestError> {
        match self.text(key)? {
            Some(text) if !text.is_empty() => Ok(text),
            _ => Err(ManifestError::MissingKey { path: self.path(key), purpose }),
        }
    }

    /// Reads a truth value; false when it is not there.
    pub(super) fn truth(&self, key: &str) -> Result<bool, ManifestError> {
        match self.get(key) {
            None => Ok(false),
            Some(Value::Bool(value)) => Ok(*value),
            Some(other) => Err(wrong_type(self.path(key), other, "`true` or `false`")),
        }
    }

    /// Reads an integer; 0 when it is not there.
    pub(super) fn integer(&self, key: &str) -> Result<i64, ManifestError> {
        match self.get(key) {
            None => Ok(0),
            Some(value) => value.as_i64().ok_or_else(|| wrong_type(self.path(key), value, "an integer")),
        }
    }

    /// Reads a list; empty when it is not there.
    pub(super) fn list(&self, key: &str) -> Result<&'a [Value], ManifestError> {
        match self.get(key) {
            None => Ok(&[]),
            Some(Value::Array(values)) => Ok(values),
            Some(other) => Err(wrong_type(self.path(key), other, "a list")),
        }
    }

    /// Reads a list of texts; empty when it is not there.
    pub(super) fn texts(&self, key: &str) -> Result<Vec<String>, ManifestError> {
        let values = self.list(key)?.iter().enumerate();
        values
            .map(|(index, value)| match value {
                Value::String(text) => Ok(text.clone()),
                other => Err(wrong_type(format!("{}[{index}]", self.path(key)), other, "a text")),
            })
            .collect()
    }

    /// Reads a list of maps; empty when it is not there.
    pub(super) fn maps(&self, key: &str) -> Result<Vec<Keys<'a>>, ManifestError> {
        let values = self.list(key)?.iter().enumerate();
        values.map(|(index, value)| Self::of(value, format!("{}[{index}]", self.path(key)))).collect()
    }

    /// Reads a map; `None` when it is not there.
    pub(super) fn map(&self, key: &str) -> Result<Option<Keys<'a>>, ManifestError> {
        self.get(key).map(|value| Self::of(value, self.path(key))).transpose()
    }

    /// Reads a map that must be there.
    pub(super) fn required_map(&self, key: &str, purpose: &'static str) -> Result<Keys<'a>, ManifestError> {
        self.map(key)?.ok_or_else(|| ManifestError::MissingKey { path: self.path(key), purpose })
    }

    /// Reads a map of texts, sorted by key; numbers and truth values are refused, as Kubernetes does.
    pub(super) fn text_map(&self, key: &str) -> Result<Vec<(String, String)>, ManifestError> {
        let Some(map) = self.map(key)? else { return Ok(Vec::new()) };
        map.entries()
            .map(|(name, value)| match value {
                Value::String(text) => Ok((name.clone(), text.clone())),
                other => Err(wrong_type(map.path(name), other, "a text (put it in quotes)")),
            })
            .collect()
    }

    /// Reads a length of time such as `90s`, `5m` or `1h30m`; `None` when it is not there.
    pub(super) fn duration(&self, key: &str) -> Result<Option<Duration>, ManifestError> {
        let Some(text) = self.text(key)? else { return Ok(None) };
        match duration(&text) {
            Some(duration) if !duration.is_zero() => Ok(Some(duration)),
            _ => {
                Err(self.invalid(key, &text, "it must be a length of time above zero, such as `90s`, `5m` or `1h30m`"))
            }
        }
    }

    /// Returns the error for a value that cannot be used.
    pub(super) fn invalid(&self, key: &str, value: &str, reason: impl Into<String>) -> ManifestError {
        ManifestError::InvalidValue { path: self.path(key), value: shortened(value), reason: reason.into() }
    }

    fn of(value: &'a Value, path: String) -> Result<Self, ManifestError> {
        match value {
            Value::Object(map) => Ok(Self { map, path }),
            other => Err(wrong_type(path, other, "a map")),
        }
    }
}

/// Returns the error for a value of the wrong type.
pub(super) fn wrong_type(path: String, value: &Value, expected: &'static str) -> ManifestError {
    let found = match value {
        Value::Null => "empty",
        Value::Bool(_) => "a truth value",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "a map",
    };
    ManifestError::WrongType { path, found, expected }
}

fn shortened(value: &str) -> String {
    match value.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &value[..end]),
        None => value.to_owned(),
    }
}

/// Parses Go's form of a duration, in whole numbers of `h`, `m`, `s` and `ms`.
fn duration(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let digits = rest.find(|character: char| !character.is_ascii_digit())?;
        let number: u64 = rest[..digits].parse().ok()?;
        rest = &rest[digits..];
        let unit_end = rest.find(|character: char| character.is_ascii_digit()).unwrap_or(rest.len());
        let part = match &rest[..unit_end] {
            "h" => Duration::from_secs(number.checked_mul(3600)?),
            "m" => Duration::from_secs(number.checked_mul(60)?),
            "s" => Duration::from_secs(number),
            "ms" => Duration::from_millis(number),
            _ => return None,
        };
        total = total.checked_add(part)?;
        rest = &rest[unit_end..];
    }
    Some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_read_as_go_writes_them() {
        assert_eq!(duration("90s"), Some(Duration::from_secs(90)));
        assert_eq!(duration("1h30m"), Some(Duration::from_secs(5400)));
        assert_eq!(duration("250ms"), Some(Duration::from_millis(250)));
        for wrong in ["5", "m", "5 m", "-5m", "1.5h", "5d", "99999999999999999999s", "9999999999999999999h"] {
            assert_eq!(duration(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn long_values_are_shortened_between_characters() {
        assert_eq!(shortened(&"é".repeat(200)).chars().count(), SHOWN_CHARACTERS + 1);
    }
}
