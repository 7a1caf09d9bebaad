//! Findings as a table that fits the terminal.

use unicode_width::UnicodeWidthStr as _;

use super::wrap::{one_line, pad, wrap};
use super::{Finding, Line, Role, Severity, Span};

/// The narrowest width that a table is laid out for, in columns; a narrower terminal breaks lines itself.
pub const WIDTH_MIN: usize = 40;
/// Blanks between two columns.
const GAP: usize = 2;
/// How many lines a cell may take; what is longer is cut and marked with `…`.
const CELL_LINES_MAX: usize = 6;

/// Returns the table, most important finding first as given; empty without findings.
///
/// Columns are SEVERITY, CHECK, OBJECT and MESSAGE; the remedy follows the message after an arrow. At most
/// `rows_max` findings are shown, and a last line says how many are left.
#[must_use]
pub fn findings_table(findings: &[Finding], width: usize, rows_max: usize) -> Vec<Line> {
    if findings.is_empty() {
        return Vec::new();
    }
    let shown = &findings[..findings.len().min(rows_max)];
    let columns = Columns::fit(shown, width.max(WIDTH_MIN));
    let heading = |text: &str, width| Span::new(pad(text, width + GAP), Role::Heading);
    let mut lines = vec![vec![
        heading("SEVERITY", columns.severity),
        heading("CHECK", columns.check),
        heading("OBJECT", columns.object),
        Span::new("MESSAGE", Role::Heading),
    ]];
    for finding in shown {
        lines.extend(columns.row(finding));
    }
    let left = findings.len() - shown.len();
    if left > 0 {
        lines.push(vec![Span::new(format!("… and {left} more"), Role::Muted)]);
    }
    lines
}

struct Columns {
    severity: usize,
    check: usize,
    object: usize,
    message: usize,
}

impl Columns {
    /// Gives check and object what they need up to a share each, and the message the rest.
    fn fit(findings: &[Finding], width: usize) -> Self {
        let widest = |text: fn(&Finding) -> &str, heading: &str| {
            findings.iter().map(|finding| text(finding).width()).max().unwrap_or_default().max(heading.width())
        };
        let severity = "SEVERITY".width();
        let room = width - severity - 3 * GAP;
        let check = widest(|finding| &finding.check, "CHECK").min((room * 3 / 10).max(8));
        let object = widest(|finding| &finding.object, "OBJECT").min((room * 3 / 10).max(8));
        Self { severity, check, object, message: room.saturating_sub(check + object).max(8) }
    }

    fn row(&self, finding: &Finding) -> Vec<Line> {
        let mut message = one_line(&finding.message);
        if !finding.remedy.is_empty() {
            let blank = if message.is_empty() { "" } else { " " };
            message = format!("{message}{blank}→ {}", one_line(&finding.remedy));
        }
        let checks = wrap(&one_line(&finding.check), self.check, CELL_LINES_MAX);
        let objects = wrap(&one_line(&finding.object), self.object, CELL_LINES_MAX);
        let messages = wrap(&message, self.message, CELL_LINES_MAX);
        let height = checks.len().max(objects.len()).max(messages.len());
        let cell = |lines: &[String], index: usize| lines.get(index).cloned().unwrap_or_default();
        (0..height)
            .map(|index| {
                let severity = if index == 0 { finding.severity.as_str() } else { "" };
                vec![
                    Span::new(pad(severity, self.severity + GAP), role(finding.severity)),
                    Span::new(pad(&cell(&checks, index), self.check + GAP), Role::Plain),
                    Span::new(pad(&cell(&objects, index), self.object + GAP), Role::Plain),
                    Span::new(cell(&messages, index), Role::Plain),
                ]
            })
            .collect()
    }
}

fn role(severity: Severity) -> Role {
    match severity {
        Severity::Critical | Severity::High => Role::Bad,
        Severity::Medium | Severity::Unrated => Role::Warning,
        Severity::Low | Severity::Info => Role::Muted,
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;
    use crate::report::plain;

    #[track_caller]
    fn check(width: usize, expected: &Expect) {
        let findings = [
            Finding {
                severity: Severity::High,
                check: "privilege-escalation".into(),
                object: "Deployment kube-system/calico-kube-controllers".into(),
                message: "container `controllers` may gain more rights than its parent".into(),
                remedy: "set `allowPrivilegeEscalation: false`".into(),
                ..Finding::default()
            },
            Finding { check: "名前".into(), object: "Pod a/b".into(), message: "m".into(), ..Finding::default() },
            Finding::default(),
        ];
        let table = plain(&findings_table(&findings, width, 2));
        assert!(table.lines().all(|line| line.width() <= width), "{table}");
        expected.assert_eq(&table);
    }

    #[test]
    fn a_table_fits_80_columns() {
        check(
            80,
            &expect![[r#"
            SEVERITY  CHECK                OBJECT               MESSAGE
            high      privilege-           Deployment           container `controllers` may
                      escalation           kube-system/calico-  gain more rights than its
                                           kube-controllers     parent → set
                                                                `allowPrivilegeEscalation:
                                                                false`
            -         名前                 Pod a/b              m
            … and 1 more
        "#]],
        );
    }

    #[test]
    fn a_table_fits_140_columns() {
        check(
            140,
            &expect![[r#"
            SEVERITY  CHECK                 OBJECT                                 MESSAGE
            high      privilege-escalation  Deployment kube-system/calico-kube-    container `controllers` may gain more rights than its parent → set
                                            controllers                            `allowPrivilegeEscalation: false`
            -         名前                  Pod a/b                                m
            … and 1 more
        "#]],
        );
    }

    #[test]
    fn a_table_of_no_findings_is_empty_and_a_tiny_width_is_no_panic() {
        assert!(findings_table(&[], 80, 5).is_empty());
        assert!(!findings_table(&[Finding::default()], 0, 5).is_empty());
    }
}
