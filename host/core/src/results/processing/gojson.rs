//! The events of `go test -json` (`cmd/test2json`).

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::results::item::META_ERROR;
use crate::results::{Item, Mode, Status};

use super::{base_name, file_item};

/// How much output is kept of one failed test, in bytes: its end. A test may print for hours.
const OUTPUT_BYTES_MAX: usize = 64 << 10;

/// Reads a stream of events as a flat list of tests.
pub(super) fn read(path: &str, content: &[u8], mode: Mode) -> Item {
    let mut file = file_item(path, Status::Passed);
    let mut log = Log::default();
    let mut broken = None;
    for value in serde_json::Deserializer::from_slice(content).into_iter::<Value>() {
        match value.map_err(|error| error.to_string()).and_then(|value| event(&value)) {
            Ok(event) => log.take(event, mode),
            Err(reason) => {
                broken = Some(reason);
                break;
            }
        }
    }
    if mode == Mode::Strict {
        log.close();
    }
    file.items = log.items;
    if file.items.is_empty() && mode == Mode::Strict {
        file.status = Status::Unknown;
    }
    let Some(reason) = broken else { return file };
    if mode == Mode::Strict && !file.items.is_empty() {
        file.items.push(Item::new(base_name(path), Status::Unknown).with_meta(META_ERROR, reason.clone()));
    }
    file.status = Status::Unknown;
    file.with_meta(META_ERROR, reason)
}

#[derive(Debug, Default)]
struct Event {
    action: String,
    package: String,
    test: String,
    output: String,
}

/// Reads one event; keys are compared without case, as Go does.
fn event(value: &Value) -> Result<Event, String> {
    let Value::Object(map) = value else { return Err("an event must be a JSON object".to_owned()) };
    let mut event = Event::default();
    for (key, value) in map {
        let field = match key.to_ascii_lowercase().as_str() {
            "action" => &mut event.action,
            "package" => &mut event.package,
            "test" => &mut event.test,
            "output" => &mut event.output,
            _ => continue,
        };
        match value {
            Value::String(text) => field.clone_from(text),
            Value::Null => {}
            _ => return Err(format!("`{key}` must be a string")),
        }
    }
    Ok(event)
}

#[derive(Debug, Default)]
struct Log {
    items: Vec<Item>,
    running: BTreeMap<(String, String), String>,
    packages_with_failed_tests: BTreeSet<String>,
}

impl Log {
    fn take(&mut self, event: Event, mode: Mode) {
        let status = match event.action.as_str() {
            "pass" => Status::Passed,
            "skip" => Status::Skipped,
            "fail" => Status::Failed,
            "run" | "pause" | "cont" | "bench" | "output" | "start" => return self.note(event, mode),
            _ if mode == Mode::Strict && event.action.starts_with("build-") => return self.build(&event),
            _ => Status::Unknown,
        };
        if event.test.is_empty() {
            let explained = self.packages_with_failed_tests.contains(&event.package);
            if mode == Mode::Strict && status == Status::Failed && !explained {
                self.items.push(Item::new(event.package, Status::Failed));
            }
            return;
        }
        let output = self.running.remove(&(event.package.clone(), event.test.clone())).unwrap_or_default();
        let mut item = Item::new(event.test, status);
        if item.status == Status::Failed {
            self.packages_with_failed_tests.insert(event.package);
            if mode == Mode::Strict && !output.is_empty() {
                item.details.insert("output".to_owned(), output.into());
            }
        }
        self.items.push(item);
    }

    /// `start` with a test name is no event of `test2json`; Sonobuoy would call it unknown, and so do we.
    fn note(&mut self, event: Event, mode: Mode) {
        if event.test.is_empty() {
            return;
        }
        if event.action == "start" {
            self.items.push(Item::new(event.test, Status::Unknown));
            return;
        }
        if mode == Mode::SonobuoyCompat {
            return;
        }
        let output = self.running.entry((event.package, event.test)).or_default();
        output.push_str(&event.output);
        if output.len() > OUTPUT_BYTES_MAX {
            let mut start = output.len() - OUTPUT_BYTES_MAX / 2;
            while !output.is_char_boundary(start) {
                start += 1;
            }
            output.drain(..start);
        }
    }

    fn build(&mut self, event: &Event) {
        if event.action == "build-fail" {
            let name = if event.package.is_empty() { "build" } else { &event.package };
            self.items.push(Item::new(name, Status::Failed));
        }
    }

    /// A test that began and said nothing more is not known to have passed.
    fn close(&mut self) {
        for ((_, test), _) in std::mem::take(&mut self.running) {
            self.items.push(Item::new(test, Status::Unknown).with_meta(META_ERROR, "the test began and did not end"));
        }
    }
}
