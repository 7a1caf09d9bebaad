//! The normalised manifest of a plugin.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use crate::grant::Requests;
use crate::limits::PluginLimits;
use crate::placement::Placement;

/// What a plugin says of itself, whatever form it was written in.
#[derive(Debug, Clone, PartialEq)]
pub struct PluginManifest {
    /// Its name, unique in a run; checked by [`check_name`](super::check_name).
    pub name: String,
    /// Its version, as its author writes versions; empty when it has none.
    pub version: String,
    /// One line for people; may be empty.
    pub description: String,
    /// Where its source can be read; may be empty.
    pub source_url: String,
    /// The licence, as an SPDX expression where the author kept to that; may be empty.
    pub license: String,
    /// How it collects or checks; `None` for a plugin that only has hooks or a CNI model.
    pub producer: Option<Producer>,
    /// Its hooks as parsed documents, in the order of the manifest.
    pub hooks: Vec<HookDocument>,
    /// Its CNI model as a parsed document.
    pub cni_model: Option<CniModelDocument>,
    /// What settings it takes.
    pub config: ConfigSpec,
    /// What it asks for. Nothing of this is granted by being asked for.
    pub requests: Requests,
    /// Bounds that it lowers for itself.
    pub limits: PluginLimits,
    /// The component, as a path relative to the manifest's folder; `None` when the manifest travels inside
    /// the component, lies beside it under the same name, or needs none.
    pub component: Option<String>,
    /// Files by name that the plugin finds in its configuration folder (Sonobuoy's `config-map`).
    pub config_files: BTreeMap<String, String>,
    /// The form in which it was written.
    pub format: ManifestFormat,
    /// What the operator should know about how it was read, one line each.
    pub notices: Vec<String>,
}

/// The form in which a manifest was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ManifestFormat {
    /// `apiVersion: porthole.dev/v1alpha1`.
    Porthole,
    /// `sonobuoy-config`.
    Sonobuoy,
    /// The older form with `driver` and `resultType` at the top.
    Flat,
    /// kops' `type`, `behavior`, and `command` or `script`.
    Kops,
    /// None: the host made the manifest up for a plain command component.
    Implied,
}

/// How a plugin collects or checks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Producer {
    /// Once per cluster, or once per node.
    pub driver: Driver,
    /// How its results are read.
    pub result_format: ResultFormat,
    /// Base names of the only files that are read as results; empty for all of them.
    pub result_files: Vec<String>,
    /// Plugins of an order start when all plugins of lower orders are done.
    pub order: i64,
    /// How long one target may take; `None` for the host's default. Never zero.
    pub timeout: Option<Duration>,
    /// Whether to leave what the plugin made when the run ends; it is kept for Sonobuoy's sake.
    pub skip_cleanup: bool,
    /// Which nodes are targets; only for [`Driver::DaemonSet`].
    pub placement: Placement,
    /// Arguments of a command component, after the program's own name.
    pub args: Vec<String>,
    /// Environment of a command component, in the order of the manifest; a later name replaces an earlier one.
    pub env: Vec<(String, String)>,
}

/// How often a producer runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Driver {
    /// Once per cluster.
    #[default]
    Job,
    /// Once per node that matches.
    DaemonSet,
}

impl Driver {
    /// Every driver, as it is written.
    pub const NAMES: [&'static str; 2] = ["Job", "DaemonSet"];

    /// Returns the driver that is written so, in any case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        match name.to_ascii_lowercase().as_str() {
            "job" => Some(Self::Job),
            "daemonset" => Some(Self::DaemonSet),
            _ => None,
        }
    }

    /// Returns how the driver is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Job => "Job",
            Self::DaemonSet => "DaemonSet",
        }
    }
}

/// How the results of a producer are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ResultFormat {
    /// Items that the plugin reports through the `results` interface.
    Items,
    /// Files as they are.
    #[default]
    Raw,
    /// `JUnit` XML; Sonobuoy also calls it `e2e`.
    JUnit,
    /// What `go test -json` writes.
    GoJson,
    /// Sonobuoy's own result YAML, written by the plugin.
    Manual,
}

impl ResultFormat {
    /// Every format, as it is written.
    pub const NAMES: [&'static str; 5] = ["items", "raw", "junit", "gojson", "manual"];

    /// Returns the format that is written so, in any case; `e2e` is `junit`.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "items" => Self::Items,
            "raw" => Self::Raw,
            "junit" | "e2e" => Self::JUnit,
            "gojson" => Self::GoJson,
            "manual" => Self::Manual,
            _ => return None,
        })
    }

    /// Returns how the format is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Items => "items",
            Self::Raw => "raw",
            Self::JUnit => "junit",
            Self::GoJson => "gojson",
            Self::Manual => "manual",
        }
    }
}

/// A hook as its manifest describes it: a map that nobody has interpreted.
#[derive(Debug, Clone, PartialEq)]
pub struct HookDocument(pub Value);

/// A CNI model as its manifest describes it: a map that nobody has interpreted.
#[derive(Debug, Clone, PartialEq)]
pub struct CniModelDocument(pub Value);

/// What settings a plugin takes.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ConfigSpec {
    /// The JSON Schema (draft 2020-12) of its settings; `None` when any object will do.
    pub schema: Option<Value>,
}

impl PluginManifest {
    /// Returns a manifest with a name and nothing else.
    #[must_use]
    pub fn named(name: impl Into<String>, format: ManifestFormat) -> Self {
        Self {
            name: name.into(),
            version: String::new(),
            description: String::new(),
            source_url: String::new(),
            license: String::new(),
            producer: None,
            hooks: Vec::new(),
            cni_model: None,
            config: ConfigSpec::default(),
            requests: Requests::default(),
            limits: PluginLimits::default(),
            component: None,
            config_files: BTreeMap::new(),
            format,
            notices: Vec::new(),
        }
    }

    /// Returns the manifest of a command component that brought none: driver Job, results raw.
    #[must_use]
    pub fn of_command(name: impl Into<String>) -> Self {
        Self { producer: Some(Producer::default()), ..Self::named(name, ManifestFormat::Implied) }
    }
}
