//! The report in Sonobuoy's manual format.

use std::fmt::Write;

use crate::settings::Verdict;

/// Writes the report of a node as YAML.
pub(crate) fn render(node: &str, verdicts: &[(&str, Verdict)]) -> String {
    let mut text = String::from("name: kernel-settings\nitems:\n");
    for (name, verdict) in verdicts {
        let (status, key, said) = match verdict {
            Verdict::Passed(value) => ("passed", "value", value),
            Verdict::Failed(message) => ("failed", "message", message),
            Verdict::Skipped(message) => ("skipped", "message", message),
            Verdict::Unknown(message) => ("unknown", "message", message),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "- name: {}\n  status: {status}\n  details:\n    {key}: {}", quoted(name), quoted(said));
        if status == "failed" {
            let _ = writeln!(
                text,
                "    severity: medium\n    check: kernel-settings\n    object: {}",
                quoted(&format!("Node {node}"))
            );
        }
    }
    text
}

/// A text as a YAML scalar in single quotes, which takes everything but line breaks literally.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''").replace(['\n', '\r'], " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_an_item_per_setting() {
        let verdicts = [
            ("kernel.panic", Verdict::Passed("10".to_owned())),
            ("x", Verdict::Failed("it's\nwrong".to_owned())),
            ("y", Verdict::Skipped("not granted".to_owned())),
        ];
        assert_eq!(
            render("n1", &verdicts),
            "name: kernel-settings\nitems:\n\
             - name: 'kernel.panic'\n  status: passed\n  details:\n    value: '10'\n\
             - name: 'x'\n  status: failed\n  details:\n    message: 'it''s wrong'\n    severity: medium\n    \
             check: kernel-settings\n    object: 'Node n1'\n\
             - name: 'y'\n  status: skipped\n  details:\n    message: 'not granted'\n"
        );
    }
}
