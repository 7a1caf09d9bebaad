//! The block of one plugin in `porthole results`, in Sonobuoy's words.

use std::fmt::Write as _;

use crate::results::item::META_PATH;
use crate::results::{Counts, Item, Status};

/// Returns the block of `root`: name, status, counts, and the names of failed leaves.
#[must_use]
pub fn plugin_block(root: &Item) -> String {
    let counts = Counts::of(root);
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "Plugin: {}\nStatus: {}\nTotal: {}\nPassed: {}\nFailed: {}\nSkipped: {}\n",
        root.name,
        root.status,
        counts.total(),
        counts.get(&Status::Passed),
        counts.failures(),
        counts.get(&Status::Skipped),
    );
    let mut others: Vec<(&str, u64)> = counts
        .iter()
        .filter(|(status, _)| matches!(status, Status::Unknown | Status::Custom(_)))
        .map(|(status, number)| (status.as_str(), number))
        .collect();
    others.sort_unstable();
    for (status, number) in others {
        let _ = writeln!(text, "{status}: {number}");
    }
    let mut heading = "\nFailed tests:\n";
    root.for_each_leaf(&mut |_, leaf| {
        if leaf.status.is_failure() {
            text.push_str(std::mem::take(&mut heading));
            text.push_str(test_name(&leaf.name));
            text.push('\n');
        }
    });
    text
}

/// Returns the name without the `[It]` that newer versions of Ginkgo put before it.
#[must_use]
pub fn test_name(name: &str) -> &str {
    name.strip_prefix("[It]").map_or(name, str::trim_start)
}

/// Returns a leaf as one line of JSON, with the names above it in `meta.path`.
///
/// # Errors
///
/// Never in practice: an item is always JSON.
pub fn detailed_line(path: &[&str], leaf: &Item) -> Result<String, serde_json::Error> {
    serde_json::to_string(&leaf.clone().with_meta(META_PATH, path.join("|")))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn a_block_counts_timeouts_as_failed_and_names_them_without_it() {
        let leaves = vec![
            Item::new("[It] a  b", Status::Failed),
            Item::new("c", Status::Timeout),
            Item::new("d", Status::Unknown),
            Item::new("e", Status::Custom("Amazing".into())),
        ];
        expect![[r"
            Plugin: p
            Status: unknown
            Total: 4
            Passed: 0
            Failed: 2
            Skipped: 0
            Amazing: 1
            unknown: 1

            Failed tests:
            a  b
            c
        "]]
        .assert_eq(&plugin_block(&Item::summary("p", leaves)));
    }

    #[test]
    fn a_detailed_line_says_where_the_leaf_stands() {
        let line = detailed_line(&["p", "suite"], &Item::new("t", Status::Passed)).expect("an item is JSON");
        assert_eq!(line, r#"{"name":"t","status":"passed","meta":{"path":"p|suite"}}"#);
    }
}
