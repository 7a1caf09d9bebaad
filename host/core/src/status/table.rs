//! The tables of `porthole status`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

use crate::results::Status;

use super::{RunPhase, RunStatus, TargetStatus};

/// How the entries of a status are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layout {
    /// Targets of a plugin in the same state share a row that counts them.
    #[default]
    Summary,
    /// One row per plugin and target (`--show-all`), with the reasons of failures below the table.
    All,
}

/// Returns the right-aligned table and the closing line, each line with its line break.
#[must_use]
pub fn table(status: &RunStatus, layout: Layout) -> String {
    let mut rows = match layout {
        Layout::Summary => summary_rows(&status.plugins),
        Layout::All => all_rows(&status.plugins),
    };
    let fourth = if layout == Layout::All { "NODE" } else { "COUNT" };
    let header = match layout {
        Layout::Summary => ["PLUGIN", "STATUS", "RESULT", fourth, "PROGRESS"],
        Layout::All => ["PLUGIN", fourth, "STATUS", "RESULT", "PROGRESS"],
    };
    rows.insert(0, header.map(str::to_owned));
    let widths: Vec<usize> = (0..header.len())
        .map(|column| rows.iter().map(|row| row[column].width()).max().unwrap_or_default() + 3)
        .collect();
    let mut text = String::new();
    for row in &rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.extend(std::iter::repeat_n(' ', width.saturating_sub(cell.width())));
            line.push_str(cell);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    for target in &status.plugins {
        if let (Layout::All, Some(error)) = (layout, &target.error) {
            // Writing to a String cannot fail.
            let _ = write!(text, "\n{} on {}: {error}", target.plugin, target.node);
        }
    }
    if layout == Layout::All && status.plugins.iter().any(|target| target.error.is_some()) {
        text.push('\n');
    }
    text.push('\n');
    text.push_str(closing_line(status));
    text.push('\n');
    text
}

fn closing_line(status: &RunStatus) -> &'static str {
    match status.status {
        RunPhase::Running => "Porthole is still running. How long a run takes depends on the cluster and the plugins.",
        RunPhase::PostProcessing => "Porthole plugins have completed. Preparing results for download.",
        RunPhase::Complete if status.plugins.iter().any(|target| target.error.is_some()) => {
            "Porthole has completed, and some plugins could not be run to their end. \
             Use `porthole status --show-all` to see why."
        }
        RunPhase::Complete => "Porthole has completed. Use `porthole results` to see what was found.",
        RunPhase::Failed => "Porthole could not bring the run to its end.",
    }
}

fn verdict(target: &TargetStatus) -> String {
    target.result_status.as_ref().map(Status::to_string).unwrap_or_default()
}

fn progress(target: &TargetStatus) -> String {
    target.progress.as_ref().map(ToString::to_string).unwrap_or_default()
}

fn all_rows(targets: &[TargetStatus]) -> Vec<[String; 5]> {
    targets
        .iter()
        .map(|target| {
            let phase = target.status.as_str().to_owned();
            [target.plugin.clone(), target.node.clone(), phase, verdict(target), progress(target)]
        })
        .collect()
}

/// Rows sorted by plugin, status and result; progress only where a plugin has a single target.
fn summary_rows(targets: &[TargetStatus]) -> Vec<[String; 5]> {
    let mut targets_of = BTreeMap::<&str, u64>::new();
    let mut counts = BTreeMap::<(&str, &str, String), (u64, &TargetStatus)>::new();
    for target in targets {
        *targets_of.entry(&target.plugin).or_default() += 1;
        counts.entry((&target.plugin, target.status.as_str(), verdict(target))).or_insert((0, target)).0 += 1;
    }
    counts
        .into_iter()
        .map(|((plugin, phase, verdict), (count, target))| {
            let single = targets_of.get(plugin) == Some(&1);
            let progress = if single { progress(target) } else { String::new() };
            [plugin.to_owned(), phase.to_owned(), verdict, count.to_string(), progress]
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::progress::{Progress, Update};
    use crate::status::TargetPhase;

    fn status() -> RunStatus {
        let target = |plugin: &str, node: &str, status, result: Option<Status>| TargetStatus {
            plugin: plugin.into(),
            node: node.into(),
            status,
            result_status: result,
            ..TargetStatus::default()
        };
        let mut progress = Progress::new("e2e", "global");
        progress.apply(Update { total: 2, completed: 1, failures: vec!["x".into()], ..Update::default() }, "t");
        let mut e2e = target("e2e", "global", TargetPhase::Complete, Some(Status::Failed));
        e2e.progress = Some(progress);
        let mut lost = target("logs", "n2", TargetPhase::Failed, None);
        lost.error = Some("the node is gone".into());
        RunStatus {
            plugins: vec![
                e2e,
                target("logs", "n1", TargetPhase::Running, None),
                lost,
                target("logs", "n3", TargetPhase::Running, None),
            ],
            ..RunStatus::default()
        }
    }

    #[test]
    fn the_summary_counts_targets_in_the_same_state() {
        expect![[r#"
               PLUGIN     STATUS   RESULT   COUNT                                PROGRESS
                  e2e   complete   failed       1   Passed:  1, Failed:  1, Remaining:  0
                 logs     failed                1
                 logs    running                2

            Porthole is still running. How long a run takes depends on the cluster and the plugins.
        "#]]
        .assert_eq(&table(&status(), Layout::Summary));
    }

    #[test]
    fn all_targets_are_shown_with_the_reason_of_a_failure() {
        expect![[r#"
               PLUGIN     NODE     STATUS   RESULT                                PROGRESS
                  e2e   global   complete   failed   Passed:  1, Failed:  1, Remaining:  0
                 logs       n1    running
                 logs       n2     failed
                 logs       n3    running

            logs on n2: the node is gone

            Porthole is still running. How long a run takes depends on the cluster and the plugins.
        "#]]
        .assert_eq(&table(&status(), Layout::All));
    }

    #[test]
    fn a_run_without_plugins_has_a_header_and_a_closing_line() {
        expect![[r#"
               PLUGIN   STATUS   RESULT   COUNT   PROGRESS

            Porthole has completed. Use `porthole results` to see what was found.
        "#]]
        .assert_eq(&table(&RunStatus { status: RunPhase::Complete, ..RunStatus::default() }, Layout::Summary));
    }
}
