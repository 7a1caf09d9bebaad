//! Values of options: how they are written, and what is said when they are not.

use std::path::PathBuf;
use std::time::Duration;

use porthole_core::limits::Span;
use serde_json::{Map, Value};

/// What a run's report is printed as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ReportFormat {
    /// A table for people
    Table,
    /// One JSON document, as docs/report.md describes it
    Json,
}

/// One `--output`: a format, and a file if not standard output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Output {
    pub(super) format: ReportFormat,
    pub(super) file: Option<PathBuf>,
}

/// Reads `FORMAT` or `FORMAT=FILE`.
pub(super) fn output(text: &str) -> Result<Output, String> {
    let (format, file) = match text.split_once('=') {
        Some((format, file)) if !file.is_empty() => (format, Some(PathBuf::from(file))),
        Some(_) => return Err("there is no file after `=`".to_owned()),
        None => (text, None),
    };
    let format = <ReportFormat as clap::ValueEnum>::from_str(format, true)
        .map_err(|_| "the formats are `table` and `json`; write to a file with `json=FILE`".to_owned())?;
    Ok(Output { format, file })
}

/// Reads a time such as `90s`, `5m` or `1h30m`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let Span(duration) = text.parse().map_err(|error| format!("{error}"))?;
    if duration.is_zero() { Err("it must be longer than nothing".to_owned()) } else { Ok(duration) }
}

/// One `--config`: a plugin, and its settings or one of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Setting {
    pub(super) plugin: String,
    pub(super) value: Value,
}

/// Reads `PLUGIN.KEY=VALUE`, where the key may have dots and the value is YAML.
pub(super) fn setting(text: &str) -> Result<Setting, String> {
    let form = "write PLUGIN.KEY=VALUE, for instance workload-checks.checks.image-tag=off";
    let (path, value) = text.split_once('=').ok_or_else(|| form.to_owned())?;
    let (plugin, keys) = path.split_once('.').ok_or_else(|| form.to_owned())?;
    if plugin.is_empty() || keys.split('.').any(str::is_empty) {
        return Err(form.to_owned());
    }
    let value: Value = serde_yaml::from_str(value).map_err(|error| format!("the value is not YAML: {error}"))?;
    let value = keys.rsplit('.').fold(value, |inner, key| Value::Object(Map::from_iter([(key.to_owned(), inner)])));
    Ok(Setting { plugin: plugin.to_owned(), value })
}

/// Puts `newer` over `older`: maps are merged, everything else is replaced.
pub(super) fn overlay(older: &mut Value, newer: Value) {
    match (older, newer) {
        (Value::Object(older), Value::Object(newer)) => {
            for (key, value) in newer {
                overlay(older.entry(key).or_insert(Value::Null), value);
            }
        }
        (older, newer) => *older = newer,
    }
}

/// Reads `NAME=VALUE` of a bound, as `spec.limits` writes it.
pub(super) fn limit(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=VALUE, for instance memory=64Mi")?;
    Ok((name.to_owned(), value.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_setting_names_a_plugin_a_path_and_a_yaml_value() {
        let read = setting("workload-checks.checks.image-tag=off").expect("it is whole");
        assert_eq!(read.plugin, "workload-checks");
        assert_eq!(read.value, json!({"checks": {"image-tag": "off"}}));
        assert_eq!(setting("a.b=[1, x]").expect("it is whole").value, json!({"b": [1, "x"]}));
        for wrong in ["a", "a=b", ".b=c", "a.=c", "a..b=c"] {
            assert!(setting(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn later_settings_are_put_over_earlier_ones() {
        let mut value = json!({"a": {"b": 1, "c": 2}, "d": [1]});
        overlay(&mut value, json!({"a": {"c": 3}, "d": [2]}));
        assert_eq!(value, json!({"a": {"b": 1, "c": 3}, "d": [2]}));
    }

    #[test]
    fn an_output_is_a_format_and_may_name_a_file() {
        let file = output("json=out/report.json").expect("it is whole");
        assert_eq!(file, Output { format: ReportFormat::Json, file: Some(PathBuf::from("out/report.json")) });
        assert!(output("json=").is_err());
        assert!(output("xml").is_err());
    }
}
