//! The end of a run: results become trees, the folder becomes whole, and a tarball is made of it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use porthole_core::audit::{AuditSummary, DeniedAccess, PluginSummary};
use porthole_core::manifest::Driver;
use porthole_core::report::run_report::RunFacts;
use porthole_core::report::{PluginError, PluginReport, RefusedAccess, RunReport};
use porthole_core::results::{self, Counts, Item, Mode, PluginShape};
use serde_json::json;

use super::board::Board;
use super::execute::{Finished, RunTerms};
use super::folder::RunFolder;
use super::processing;
use super::tarball::{self, Naming};
use super::{Prepared, RunError};
use crate::causes::chain;

/// What the end of a run needs besides the run.
pub struct Closing<'a> {
    /// When it began.
    pub started: Timestamp,
    /// The cluster, in one line.
    pub cluster: String,
    /// How strict statuses are summed up.
    pub mode: Mode,
    /// Where the tarball goes.
    pub folder: &'a Path,
    /// Its name; `None` for one made of time and id.
    pub name: Option<String>,
    /// How it is named otherwise.
    pub naming: Naming,
}

/// Processes and packs a finished run.
///
/// # Errors
///
/// Fails when the run's folder cannot be read or the tarball cannot be written; the folder stays then.
pub fn finish(
    terms: &RunTerms,
    run: &RunFolder,
    plugins: &[Prepared],
    finished: &Finished,
    board: &Arc<Board>,
    closing: &Closing<'_>,
) -> Result<(RunReport, PathBuf), RunError> {
    let root = run.root();
    let failed = |error: processing::FolderError| RunError::Folder(chain(&error));
    let audit = finished.audit.summary();
    let mut reports = Vec::new();
    for (index, plugin) in plugins.iter().enumerate() {
        let tree = processing::post_process(root, shape(plugin), closing.mode).map_err(failed)?;
        processing::write_results(root, &tree).map_err(failed)?;
        processing::write_definition(root, plugin.name(), &definition(terms, plugin)).map_err(failed)?;
        post_verdicts(board, plugin, &tree);
        reports.push(report(index, plugin, &tree, finished, &audit));
    }
    let names: Vec<String> = plugins.iter().map(|plugin| plugin.name().to_owned()).collect();
    processing::write_info(root, &names).map_err(failed)?;
    processing::write_config(root, &config(terms, closing, &names)).map_err(failed)?;
    processing::write_cluster_health(root).map_err(failed)?;
    let ended = Timestamp::now();
    let facts = RunFacts {
        id: terms.id.clone(),
        cluster: closing.cluster.clone(),
        started: closing.started.to_string(),
        finished: ended.to_string(),
        porthole_version: env!("CARGO_PKG_VERSION").to_owned(),
        exit_code: None,
    };
    let mut whole = RunReport::new(facts, reports, closing.mode);
    let name = closing.name.clone().unwrap_or_else(|| tarball::file_name(closing.started, closing.naming, &terms.id));
    let packed = tarball::pack(root, closing.folder, &name, ended).map_err(|error| RunError::Pack(chain(&error)))?;
    board.packed(packed.clone());
    whole.tarball = Some(packed);
    Ok((whole, closing.folder.join(name)))
}

fn shape(plugin: &Prepared) -> PluginShape {
    let producer = plugin.producer();
    PluginShape {
        name: plugin.name().to_owned(),
        driver: match producer.driver {
            Driver::Job => results::Driver::Job,
            Driver::DaemonSet => results::Driver::DaemonSet,
        },
        format: producer.result_format.name().to_owned(),
        result_files: producer.result_files,
    }
}

/// Sonobuoy's `definition.json`, with what Porthole knows besides.
fn definition(terms: &RunTerms, plugin: &Prepared) -> serde_json::Value {
    let producer = plugin.producer();
    json!({
        "Definition": {
            "sonobuoy-config": {
                "driver": producer.driver.name(),
                "plugin-name": plugin.name(),
                "result-format": producer.result_format.name(),
                "result-files": producer.result_files,
                "order": producer.order,
                "description": plugin.manifest.description,
                "source-url": plugin.manifest.source_url,
            },
        },
        "SessionID": terms.id,
        "CleanedUp": true,
        "Version": plugin.manifest.version,
        "Digest": plugin.digest,
    })
}

fn config(terms: &RunTerms, closing: &Closing<'_>, plugins: &[String]) -> serde_json::Value {
    let names: Vec<_> = plugins.iter().map(|name| json!({ "name": name })).collect();
    json!({
        "UUID": terms.id,
        "Description": "Porthole",
        "Version": env!("CARGO_PKG_VERSION"),
        "Cluster": closing.cluster,
        "Plugins": names,
        "Server": { "timeoutseconds": terms.timeout.as_secs() },
    })
}

/// Puts the verdict of each target on the board, as Sonobuoy's status shows it.
fn post_verdicts(board: &Board, plugin: &Prepared, tree: &Item) {
    if !plugin.per_node() {
        board.verdict(plugin.name(), super::plan::GLOBAL, &tree.status, &Counts::of(tree));
        return;
    }
    for node in &tree.items {
        board.verdict(plugin.name(), &node.name, &node.status, &Counts::of(node));
    }
}

fn report(index: usize, plugin: &Prepared, tree: &Item, finished: &Finished, audit: &AuditSummary) -> PluginReport {
    let mut report = PluginReport::of(tree);
    report.version = plugin.manifest.version.clone();
    let mine: Vec<_> = finished.outcomes.iter().filter(|(planned, _)| planned.plugin == index).collect();
    let longest = mine.iter().map(|(_, outcome)| outcome.duration).max().unwrap_or(Duration::ZERO);
    report.duration_milliseconds = u64::try_from(longest.as_millis()).ok();
    report.errors = mine
        .iter()
        .filter_map(|(planned, outcome)| {
            let failure = outcome.failure.as_ref()?;
            Some(PluginError { target: planned.target.clone(), message: failure.message.clone() })
        })
        .collect();
    let audited = audit.plugins.get(plugin.name());
    report.audit = sums(audited);
    report.denials = audited.map(denials).unwrap_or_default();
    report
}

fn denials(summary: &PluginSummary) -> Vec<RefusedAccess> {
    let denial = |(access, denied): (&String, &DeniedAccess)| RefusedAccess {
        access: access.clone(),
        count: denied.count,
        remedy: denied.remedy.clone(),
    };
    summary.denials.iter().map(denial).collect()
}

/// The sums of a plugin's audit under the names that a report shows.
fn sums(summary: Option<&PluginSummary>) -> BTreeMap<String, u64> {
    let Some(summary) = summary else { return BTreeMap::new() };
    let sums = [
        ("calls", summary.calls),
        ("denials", summary.denied),
        ("failures", summary.failed),
        ("overBudget", summary.over_budget),
        ("objects", summary.objects),
        ("bytes", summary.bytes),
        ("microseconds", summary.micros),
    ];
    sums.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}
