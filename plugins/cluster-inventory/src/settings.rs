//! What the operator wants collected; the defaults are in `plugin.yaml`.

use porthole_sdk::Failure;
use regex_lite::Regex;
use serde::Deserialize;

/// The settings as they are written.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Written {
    resources: Vec<String>,
    namespaces: Option<String>,
    label_selector: String,
    nodes: Option<bool>,
    pod_logs: WrittenLogs,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct WrittenLogs {
    enabled: Option<bool>,
    namespaces: Option<String>,
    label_selector: String,
    tail_lines: Option<u64>,
    limit_bytes: Option<u64>,
    since_seconds: Option<u64>,
    previous: bool,
    timestamps: bool,
}

/// The settings as they are used.
#[derive(Debug)]
pub(crate) struct Settings {
    pub(crate) resources: Vec<String>,
    pub(crate) namespaces: Regex,
    pub(crate) label_selector: String,
    pub(crate) nodes: bool,
    pub(crate) logs: LogSettings,
}

/// Which logs, and how much of them.
#[derive(Debug)]
pub(crate) struct LogSettings {
    pub(crate) enabled: bool,
    pub(crate) namespaces: Regex,
    pub(crate) label_selector: String,
    pub(crate) tail_lines: Option<u64>,
    pub(crate) limit_bytes: Option<u64>,
    pub(crate) since_seconds: Option<u64>,
    pub(crate) previous: bool,
    pub(crate) timestamps: bool,
}

impl Settings {
    pub(crate) fn read(written: Written) -> Result<Self, Failure> {
        let logs = written.pod_logs;
        Ok(Self {
            resources: written.resources,
            namespaces: whole("namespaces", written.namespaces.as_deref().unwrap_or(".*"))?,
            label_selector: written.label_selector,
            nodes: written.nodes.unwrap_or(true),
            logs: LogSettings {
                enabled: logs.enabled.unwrap_or(true),
                namespaces: whole("podLogs.namespaces", logs.namespaces.as_deref().unwrap_or("kube-system"))?,
                label_selector: logs.label_selector,
                tail_lines: logs.tail_lines,
                limit_bytes: logs.limit_bytes,
                since_seconds: logs.since_seconds,
                previous: logs.previous,
                timestamps: logs.timestamps,
            },
        })
    }
}

/// Reads a regular expression that must match a whole name.
fn whole(setting: &str, expression: &str) -> Result<Regex, Failure> {
    Regex::new(&format!("^(?:{expression})$"))
        .map_err(|error| Failure::configuration(format!("`{setting}` is no regular expression: {error}")))
}
