//! A run as one JSON document, for programs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::exit_code::ExitCode;
use crate::results::{Counts, Item, Mode, Status, aggregate};
use crate::status::TarInfo;

use super::finding::{self, Finding, PluginError};

/// The version of the document. Keys are only ever added under the same version.
pub const API_VERSION: &str = "porthole.dev/v1alpha1";
/// The kind of the document.
pub const KIND: &str = "RunReport";

/// A finished run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunReport {
    /// [`API_VERSION`].
    pub api_version: String,
    /// [`KIND`].
    pub kind: String,
    /// What ran, and where.
    pub run: RunFacts,
    /// The verdict over all plugins.
    pub status: Status,
    /// The leaves of all plugins by status.
    pub counts: Counts,
    /// Sums over the host calls of all plugins, such as `calls`, `denials`, `bytes`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub audit: BTreeMap<String, u64>,
    /// One entry per plugin, in the order of the run.
    pub plugins: Vec<PluginReport>,
    /// The tarball, when there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tarball: Option<TarInfo>,
}

/// What ran, and where.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RunFacts {
    /// The run's id.
    pub id: String,
    /// The cluster or snapshot, one line.
    pub cluster: String,
    /// When it began, in RFC 3339.
    pub started: String,
    /// When it ended, in RFC 3339.
    pub finished: String,
    /// Porthole's version.
    pub porthole_version: String,
    /// The code that the process ends with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<u8>,
}

/// One plugin of a run.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PluginReport {
    /// Its name.
    pub name: String,
    /// Its version; empty when it has none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// Its verdict.
    pub status: Status,
    /// Its leaves by status.
    pub counts: Counts,
    /// From the start of its first target to the end of its last, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_milliseconds: Option<u64>,
    /// Sums over its host calls: `calls`, `denials`, `bytes` and what else the audit counts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub audit: BTreeMap<String, u64>,
    /// Targets that gave no result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<PluginError>,
    /// Accesses that were refused for want of a request or a grant, sorted; bounded in number by the audit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub denials: Vec<RefusedAccess>,
    /// Its failed items, sorted by severity and object.
    pub findings: Vec<Finding>,
}

/// An access that was refused, and what would allow it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RefusedAccess {
    /// What was tried, in words.
    pub access: String,
    /// How often.
    pub count: u64,
    /// What would allow it.
    pub remedy: String,
}

impl PluginReport {
    /// Returns what an aggregated tree says; version, duration and audit are for the caller to fill in.
    #[must_use]
    pub fn of(root: &Item) -> Self {
        Self {
            name: root.name.clone(),
            status: root.status.clone(),
            counts: Counts::of(root),
            errors: finding::errors(root),
            findings: finding::findings(root),
            ..Self::default()
        }
    }
}

impl RunReport {
    /// Returns the report of these plugins, with sums and verdict drawn from them.
    #[must_use]
    pub fn new(run: RunFacts, plugins: Vec<PluginReport>, mode: Mode) -> Self {
        let mut counts = Counts::default();
        let mut audit = BTreeMap::<String, u64>::new();
        for plugin in &plugins {
            counts.merge(&plugin.counts);
            for (key, number) in &plugin.audit {
                let sum = audit.entry(key.clone()).or_default();
                *sum = sum.saturating_add(*number);
            }
        }
        let verdicts = plugins.iter().map(|plugin| Item::new(&plugin.name, plugin.status.clone())).collect();
        let mut all = Item::summary("", verdicts);
        aggregate(&mut all, mode);
        let (api_version, kind) = (API_VERSION.to_owned(), KIND.to_owned());
        Self { api_version, kind, run, status: all.status, counts, audit, plugins, tarball: None }
    }

    /// Returns how a process that made this run ends, as far as its results decide.
    ///
    /// A plugin that gave no result on a target comes before findings. What is unknown is not passed: it
    /// counts as a finding.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        if self.plugins.iter().any(|plugin| !plugin.errors.is_empty()) {
            return ExitCode::PluginFailed;
        }
        let is_open = |plugin: &PluginReport| plugin.status == Status::Unknown || plugin.counts.failures() > 0;
        if self.plugins.iter().any(is_open) { ExitCode::Findings } else { ExitCode::Passed }
    }

    /// Returns the findings of all plugins, sorted by severity, object, check and plugin.
    #[must_use]
    pub fn findings(&self) -> Vec<Finding> {
        let mut all: Vec<Finding> = self.plugins.iter().flat_map(|plugin| plugin.findings.clone()).collect();
        finding::sort(&mut all);
        all
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn a_run_is_one_document() {
        let mut root = Item::summary("p", vec![Item::new("a", Status::Passed), Item::new("b", Status::Failed)]);
        aggregate(&mut root, Mode::Strict);
        let mut plugin = PluginReport::of(&root);
        plugin.audit.insert("calls".into(), 3);
        let other =
            PluginReport { audit: [("calls".to_owned(), 4)].into(), status: Status::Passed, ..PluginReport::default() };
        let report =
            RunReport::new(RunFacts { id: "r".into(), ..RunFacts::default() }, vec![plugin, other], Mode::Strict);
        expect![[r#"
            {
              "apiVersion": "porthole.dev/v1alpha1",
              "kind": "RunReport",
              "run": {
                "id": "r",
                "cluster": "",
                "started": "",
                "finished": "",
                "portholeVersion": ""
              },
              "status": "failed",
              "counts": {
                "passed": 1,
                "failed": 1
              },
              "audit": {
                "calls": 7
              },
              "plugins": [
                {
                  "name": "p",
                  "status": "failed",
                  "counts": {
                    "passed": 1,
                    "failed": 1
                  },
                  "audit": {
                    "calls": 3
                  },
                  "findings": [
                    {
                      "plugin": "p",
                      "severity": "unrated",
                      "check": "b",
                      "object": "",
                      "message": "",
                      "status": "failed",
                      "path": "p|b"
                    }
                  ]
                },
                {
                  "name": "",
                  "status": "passed",
                  "counts": {},
                  "audit": {
                    "calls": 4
                  },
                  "findings": []
                }
              ]
            }"#]]
        .assert_eq(&serde_json::to_string_pretty(&report).expect("a report is JSON"));
    }

    #[test]
    fn what_is_unknown_is_no_success_and_an_error_comes_before_findings() {
        let exit_code =
            |plugins: Vec<PluginReport>| RunReport::new(RunFacts::default(), plugins, Mode::Strict).exit_code();
        let of = |status: Status| PluginReport::of(&Item::new("p", status));
        assert_eq!(exit_code(vec![of(Status::Passed), of(Status::Skipped)]), ExitCode::Passed);
        assert_eq!(exit_code(vec![of(Status::Passed), of(Status::Unknown)]), ExitCode::Findings);
        assert_eq!(exit_code(vec![of(Status::Timeout)]), ExitCode::Findings);
        let lost = PluginReport { errors: vec![PluginError::default()], ..of(Status::Failed) };
        assert_eq!(exit_code(vec![of(Status::Failed), lost]), ExitCode::PluginFailed);
    }
}
