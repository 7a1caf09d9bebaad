//! One line per plugin at the end of a run.

use std::time::Duration;

use unicode_width::UnicodeWidthStr as _;

use crate::results::{Counts, Status};

use super::wrap::{one_line, pad};
use super::{Line, PluginReport, Role, Span};

const HEADER: [&str; 10] =
    ["PLUGIN", "STATUS", "PASSED", "FAILED", "SKIPPED", "UNKNOWN", "OTHER", "TIME", "CALLS", "DENIED"];

/// Returns a heading and a line per plugin, in the order given, with an `error:` line below for each
/// target that gave no result, and a `refused:` line for each access that was denied, with what would allow
/// it; empty without plugins.
#[must_use]
pub fn summary(plugins: &[PluginReport]) -> Vec<Line> {
    if plugins.is_empty() {
        return Vec::new();
    }
    let rows: Vec<[String; 10]> = plugins.iter().map(cells).collect();
    // Column OTHER is shown only where a plugin has statuses of its own.
    let columns: Vec<usize> =
        (0..HEADER.len()).filter(|column| *column != 6 || rows.iter().any(|row| row[6] != "0")).collect();
    let width = |column: usize| {
        rows.iter().map(|row| row[column].width()).chain([HEADER[column].width()]).max().unwrap_or_default()
    };
    let line = |row: &[String; 10], roles: [Role; 10]| -> Line {
        let cell = |column: &usize| {
            let (text, width) = (&row[*column], width(*column));
            // Names are read from the left, numbers from the right.
            let text = if *column < 2 {
                pad(text, width)
            } else {
                format!("{}{text}", " ".repeat(width.saturating_sub(text.width())))
            };
            [Span::new(text, roles[*column]), Span::new("  ", Role::Plain)]
        };
        columns.iter().flat_map(cell).collect()
    };
    let mut lines = vec![line(&HEADER.map(str::to_owned), [Role::Heading; 10])];
    for (plugin, row) in plugins.iter().zip(&rows) {
        lines.push(line(row, roles(plugin)));
        for error in &plugin.errors {
            let text = format!("  error on {}: {}", one_line(&error.target), one_line(&error.message));
            lines.push(vec![Span::new(text, Role::Bad)]);
        }
        for denial in &plugin.denials {
            let times = if denial.count == 1 { String::new() } else { format!(" ({} times)", denial.count) };
            lines.push(vec![Span::new(format!("  refused: {}{times}", one_line(&denial.access)), Role::Warning)]);
            lines.push(vec![Span::new(format!("           {}", one_line(&denial.remedy)), Role::Muted)]);
        }
    }
    lines
}

fn cells(plugin: &PluginReport) -> [String; 10] {
    let counts = &plugin.counts;
    let audit = |key: &str| plugin.audit.get(key).map_or_else(|| "-".to_owned(), u64::to_string);
    [
        one_line(&plugin.name),
        one_line(plugin.status.as_str()),
        counts.get(&Status::Passed).to_string(),
        counts.failures().to_string(),
        counts.get(&Status::Skipped).to_string(),
        counts.get(&Status::Unknown).to_string(),
        own(counts).to_string(),
        plugin
            .duration_milliseconds
            .map_or_else(|| "-".to_owned(), |milliseconds| time(Duration::from_millis(milliseconds))),
        audit("calls"),
        audit("denials"),
    ]
}

fn own(counts: &Counts) -> u64 {
    counts.iter().filter(|(status, _)| status.is_custom()).map(|(_, number)| number).sum()
}

/// Returns `12ms`, `3.4s` or `2m05s`.
#[must_use]
pub fn time(duration: Duration) -> String {
    let (seconds, milliseconds) = (duration.as_secs(), duration.subsec_millis());
    match seconds {
        0 => format!("{milliseconds}ms"),
        1..=59 => format!("{seconds}.{}s", milliseconds / 100),
        _ => format!("{}m{:02}s", seconds / 60, seconds % 60),
    }
}

fn roles(plugin: &PluginReport) -> [Role; 10] {
    let mut roles = [Role::Plain; 10];
    roles[1] = match plugin.status {
        Status::Passed => Role::Good,
        Status::Failed | Status::Timeout => Role::Bad,
        Status::Unknown => Role::Warning,
        Status::Skipped => Role::Muted,
        Status::Custom(_) => Role::Plain,
    };
    if plugin.counts.failures() > 0 {
        roles[3] = Role::Bad;
    }
    if plugin.audit.get("denials").is_some_and(|denials| *denials > 0) {
        roles[9] = Role::Warning;
    }
    roles
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::report::{PluginError, plain};

    #[test]
    fn plugins_stand_in_line_and_errors_below_them() {
        let mut counts = Counts::default();
        counts.add(&Status::Passed, 120);
        counts.add(&Status::Failed, 7);
        let checks = PluginReport {
            name: "workload-checks".into(),
            status: Status::Failed,
            counts,
            duration_milliseconds: Some(1530),
            audit: [("calls".to_owned(), 24), ("denials".to_owned(), 1)].into(),
            ..PluginReport::default()
        };
        let lost = PluginReport {
            name: "lost".into(),
            duration_milliseconds: Some(125_000),
            errors: vec![PluginError { target: "n1".into(), message: "ran out of time".into() }],
            ..PluginReport::default()
        };
        expect![[r#"
            PLUGIN           STATUS   PASSED  FAILED  SKIPPED  UNKNOWN   TIME  CALLS  DENIED
            workload-checks  failed      120       7        0        0   1.5s     24       1
            lost             unknown       0       0        0        0  2m05s      -       -
              error on n1: ran out of time
        "#]]
        .assert_eq(&plain(&summary(&[checks, lost])));
    }
}
