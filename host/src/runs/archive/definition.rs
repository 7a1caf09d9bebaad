//! What a run says about a plugin's shape, in the words of several generations.

use porthole_core::results::processing::TYPED_ITEMS_FILE;
use porthole_core::results::{Driver, PluginShape};
use serde_json::Value;

/// What is known of a plugin's shape; the rest is guessed from its files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Definition {
    driver: Option<Driver>,
    format: Option<String>,
    result_files: Vec<String>,
}

impl Definition {
    /// Reads `definition.json`, or one entry of `LoadedPlugins` of an old `config.json`.
    pub(super) fn read(value: &Value) -> Self {
        let definition = value.get("Definition").unwrap_or(value);
        let Some(config) = definition.get("sonobuoy-config") else {
            // 2019: no driver, and the format was a matter of the result type.
            let is_e2e = text(definition, "ResultType") == Some("e2e");
            return Self { format: is_e2e.then(|| "e2e".to_owned()), ..Self::default() };
        };
        let driver = text(config, "driver").and_then(|word| match word.to_ascii_lowercase().as_str() {
            "job" => Some(Driver::Job),
            "daemonset" => Some(Driver::DaemonSet),
            _ => None,
        });
        let files = config.get("result-files").and_then(Value::as_array).into_iter().flatten();
        Self {
            driver,
            // Without the key the format is raw, which is not the same as not knowing it.
            format: Some(text(config, "result-format").unwrap_or("raw").to_owned()),
            result_files: files.filter_map(Value::as_str).map(str::to_owned).collect(),
        }
    }

    /// Returns the plugin's name, where an entry of `LoadedPlugins` says it.
    pub(super) fn name_of(value: &Value) -> Option<&str> {
        let definition = value.get("Definition")?;
        definition
            .get("sonobuoy-config")
            .and_then(|config| text(config, "plugin-name"))
            .or_else(|| text(definition, "Name"))
    }

    /// Returns the shape if nothing has to be guessed.
    pub(super) fn known(&self, name: &str) -> Option<PluginShape> {
        Some(PluginShape {
            name: name.to_owned(),
            driver: self.driver?,
            format: self.format.clone()?,
            result_files: self.result_files.clone(),
        })
    }

    /// Returns the shape, with what is not known guessed from the paths of the plugin's files.
    pub(super) fn guess<'a>(&self, name: &str, paths: impl Iterator<Item = &'a str> + Clone) -> PluginShape {
        let results = paths.filter_map(|path| path.strip_prefix("results/"));
        let per_node = |path: &str| path.split_once('/').is_some_and(|(node, _)| node != "global");
        let mut seen = results.clone().peekable();
        let all_per_node = seen.peek().is_some() && seen.all(per_node);
        let ends = |end: &str| results.clone().any(|path| path.ends_with(end));
        let guessed_format = || {
            let word = if ends(TYPED_ITEMS_FILE) {
                "items"
            } else if ends(".xml") {
                "junit"
            } else {
                "raw"
            };
            word.to_owned()
        };
        PluginShape {
            name: name.to_owned(),
            driver: self.driver.unwrap_or(if all_per_node { Driver::DaemonSet } else { Driver::Job }),
            format: self.format.clone().unwrap_or_else(guessed_format),
            result_files: self.result_files.clone(),
        }
    }
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key).and_then(Value::as_str)
}
