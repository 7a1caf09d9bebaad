//! Results that a plugin writes as an item tree of its own, in YAML.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_yaml::Value as Yaml;

use crate::results::item::META_ERROR;
use crate::results::{Item, Status};

use super::file_item;

/// Reads status, details and items of a tree; its own name and meta give way to the file's.
pub(super) fn read(path: &str, content: &[u8]) -> Item {
    let mut item = file_item(path, Status::Unknown);
    match parse(content) {
        Ok(read) => {
            item.status = read.status;
            item.details = read.details;
            item.items = read.items;
            item
        }
        Err(reason) => item.with_meta(META_ERROR, reason),
    }
}

fn parse(content: &[u8]) -> Result<Item, String> {
    // Only the first document counts, as in Sonobuoy.
    let first = serde_yaml::Deserializer::from_slice(content).next().ok_or("the file is empty")?;
    let value = <Yaml as serde::Deserialize>::deserialize(first).map_err(|error| error.to_string())?;
    item(&value)
}

/// Reads an item more patiently than serde does: any scalar is good as a name or status, as in Go.
fn item(value: &Yaml) -> Result<Item, String> {
    let Yaml::Mapping(map) = value else { return Err("an item must be a mapping".to_owned()) };
    let mut item = Item::default();
    for (key, value) in map {
        match key.as_str() {
            Some("name") => item.name = scalar(value).ok_or("`name` must be a string")?,
            Some("status") => {
                item.status = Status::from(scalar(value).ok_or("`status` must be a string")?.as_str());
            }
            Some("meta") => item.meta = entries(value, "meta", scalar)?,
            Some("details") => item.details = entries(value, "details", |value| Some(json(value)))?,
            Some("items") => item.items = items(value)?,
            _ => {}
        }
    }
    Ok(item)
}

fn items(value: &Yaml) -> Result<Vec<Item>, String> {
    match value {
        Yaml::Null => Ok(Vec::new()),
        Yaml::Sequence(values) => values.iter().map(item).collect(),
        _ => Err("`items` must be a list".to_owned()),
    }
}

fn entries<T>(value: &Yaml, name: &str, convert: fn(&Yaml) -> Option<T>) -> Result<BTreeMap<String, T>, String> {
    match value {
        Yaml::Null => Ok(BTreeMap::new()),
        Yaml::Mapping(map) => map
            .iter()
            .map(|(key, value)| Some((scalar(key)?, convert(value)?)))
            .collect::<Option<_>>()
            .ok_or_else(|| format!("`{name}` must hold plain keys and values")),
        _ => Err(format!("`{name}` must be a mapping")),
    }
}

fn scalar(value: &Yaml) -> Option<String> {
    match value {
        Yaml::Null => Some(String::new()),
        Yaml::Bool(value) => Some(value.to_string()),
        Yaml::Number(value) => Some(value.to_string()),
        Yaml::String(value) => Some(value.clone()),
        Yaml::Sequence(_) | Yaml::Mapping(_) | Yaml::Tagged(_) => None,
    }
}

fn json(value: &Yaml) -> Value {
    match value {
        Yaml::Mapping(map) => {
            map.iter().map(|(key, value)| (scalar(key).unwrap_or_else(|| "?".to_owned()), json(value))).collect()
        }
        Yaml::Sequence(values) => values.iter().map(json).collect(),
        Yaml::Tagged(tagged) => json(&tagged.value),
        plain => serde_json::to_value(plain).unwrap_or(Value::Null),
    }
}
