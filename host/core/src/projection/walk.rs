//! The pass over the text.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::ProjectionError;
use super::plan::{Node, Others, Rule};

/// Appends what `rule` keeps of the object `text` to `output`.
pub(super) fn copy(rule: &Rule, text: &[u8], output: &mut Vec<u8>) -> Result<(), ProjectionError> {
    if text.iter().find(|byte| !byte.is_ascii_whitespace()) != Some(&b'{') {
        return Err(ProjectionError::NotAnObject);
    }
    let mut source = serde_json::Deserializer::from_slice(text);
    Value { rule, output }.deserialize(&mut source)?;
    source.end()?;
    Ok(())
}

/// Whether something was appended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Written {
    Yes,
    No,
}

struct Value<'a> {
    rule: &'a Rule,
    output: &'a mut Vec<u8>,
}

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = Written;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Written, D::Error> {
        match self.rule {
            Rule::Copy => {
                let raw: &RawValue = serde::Deserialize::deserialize(source)?;
                self.output.extend_from_slice(raw.get().as_bytes());
                Ok(Written::Yes)
            }
            Rule::Drop => source.deserialize_ignored_any(IgnoredAny).map(|_| Written::No),
            Rule::Walk(node) => source.deserialize_any(Walk { rule: self.rule, node, output: self.output }),
        }
    }
}

/// A key, borrowed from the text where it has no escapes.
struct Key;

impl<'de> DeserializeSeed<'de> for Key {
    type Value = Cow<'de, str>;

    fn deserialize<D: Deserializer<'de>>(self, source: D) -> Result<Self::Value, D::Error> {
        source.deserialize_str(self)
    }
}

impl<'de> Visitor<'de> for Key {
    type Value = Cow<'de, str>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a key")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Cow::Borrowed(text))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Cow::Owned(text.to_owned()))
    }
}

struct Walk<'a> {
    rule: &'a Rule,
    node: &'a Node,
    output: &'a mut Vec<u8>,
}

impl Walk<'_> {
    /// A path ends here that would go on: the value is kept only where everything around it is.
    fn scalar<E: Error>(self, value: impl Serialize) -> Result<Written, E> {
        if self.node.others == Others::Dropped {
            return Ok(Written::No);
        }
        serde_json::to_writer(self.output, &value).map_err(E::custom)?;
        Ok(Written::Yes)
    }
}

impl<'de> Visitor<'de> for Walk<'_> {
    type Value = Written;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("JSON")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Written, A::Error> {
        let others = match self.node.others {
            Others::Copied => &Rule::Copy,
            Others::Dropped => &Rule::Drop,
        };
        let output = self.output;
        output.push(b'{');
        let start = output.len();
        while let Some(key) = map.next_key_seed(Key)? {
            let rule = self.node.keys.get(key.as_ref()).unwrap_or(others);
            if matches!(rule, Rule::Drop) {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            let before = output.len();
            if before > start {
                output.push(b',');
            }
            serde_json::to_writer(&mut *output, &key).map_err(A::Error::custom)?;
            output.push(b':');
            if map.next_value_seed(Value { rule, output })? == Written::No {
                output.truncate(before);
            }
        }
        output.push(b'}');
        Ok(Written::Yes)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Written, A::Error> {
        let Self { rule, output, .. } = self;
        output.push(b'[');
        let start = output.len();
        loop {
            let before = output.len();
            if before > start {
                output.push(b',');
            }
            match list.next_element_seed(Value { rule, output })? {
                Some(Written::Yes) => {}
                Some(Written::No) => output.truncate(before),
                None => {
                    output.truncate(before);
                    output.push(b']');
                    return Ok(Written::Yes);
                }
            }
        }
    }

    fn visit_unit<E: Error>(self) -> Result<Written, E> {
        self.scalar(())
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Written, E> {
        self.scalar(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Written, E> {
        self.scalar(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Written, E> {
        self.scalar(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Written, E> {
        self.scalar(value)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Written, E> {
        self.scalar(value)
    }
}
