//! `error.json`: why a target gave no result.

use serde_json::Value;

use crate::results::go_text::go_text;
use crate::results::item::{META_ERROR, META_FILE};
use crate::results::{Item, Mode, Status};

use super::base_name;

/// Reads an error result: its text is the name, and every other value is kept as Go text.
pub(super) fn read(path: &str, content: &[u8], mode: Mode) -> Item {
    let mut item = Item::new(base_name(path), Status::Failed).with_meta(META_FILE, path);
    let values = match serde_json::from_slice::<Value>(content) {
        Ok(Value::Object(values)) => values,
        Ok(_) => return with_reason(item, mode, "not a JSON object"),
        Err(error) => return with_reason(item, mode, &error.to_string()),
    };
    item.details = values.iter().map(|(key, value)| (key.clone(), Value::String(go_text(value)))).collect();
    let text = |key: &str| item.details.get(key).and_then(Value::as_str);
    let error = text("error");
    let timed_out = match text("reason") {
        Some(reason) if mode == Mode::Strict => reason == "timeout",
        _ => error.is_some_and(|error| error.contains("timeout")),
    };
    let name = match (error, mode) {
        (Some(""), Mode::SonobuoyCompat) => None,
        (Some("") | None, Mode::Strict) => Some("Unknown error".to_owned()),
        (None, Mode::SonobuoyCompat) => Some("<nil>".to_owned()),
        (Some(error), _) => Some(error.to_owned()),
    };
    if timed_out {
        item.status = Status::Timeout;
    }
    item.name = name.unwrap_or(item.name);
    item
}

fn with_reason(item: Item, mode: Mode, reason: &str) -> Item {
    match mode {
        Mode::Strict => item.with_meta(META_ERROR, reason),
        Mode::SonobuoyCompat => item,
    }
}
