//! Typed items: one report per line.

use crate::results::item::META_ERROR;
use crate::results::{Item, Report, Status, TreeBuilder};

use super::file_item;

/// Reads reports. A line that is no report becomes an unknown item that says why, and the rest is read.
pub(super) fn read(path: &str, content: &[u8]) -> Vec<Item> {
    let mut builder = TreeBuilder::new();
    let mut broken = Vec::new();
    for (index, line) in content.split(|byte| *byte == b'\n').enumerate() {
        if line.iter().all(u8::is_ascii_whitespace) {
            continue;
        }
        match serde_json::from_slice::<Report>(line) {
            Ok(report) => builder.add(report),
            Err(error) => {
                let reason = format!("line {}: {error}", index + 1);
                broken.push(file_item(path, Status::Unknown).with_meta(META_ERROR, reason));
            }
        }
    }
    let mut items = builder.build();
    items.extend(broken);
    items
}
