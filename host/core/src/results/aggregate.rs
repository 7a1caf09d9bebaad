//! The status of a group from the items in it.
//!
//! | items of a group | [`Mode::SonobuoyCompat`] | [`Mode::Strict`] |
//! |---|---|---|
//! | none | unknown | unknown |
//! | one failed or timed out | failed | failed |
//! | else one unknown | unknown | unknown |
//! | else one passed | passed | passed |
//! | all skipped | **passed** | **skipped** |
//! | a leaf of the plugin has a status of its own | `a: 1, b: 2` | `a: 1, b: 2` |

use std::collections::BTreeMap;

use super::{Item, Status};

/// How verdicts are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// What was not shown to be in order is never passed.
    #[default]
    Strict,
    /// Exactly as Sonobuoy v0.57 does.
    SonobuoyCompat,
}

/// Sets the status of every group in `root`, and of `root` itself, from the leaves up.
///
/// Statuses that groups had are overwritten. Linear in the number of items.
pub fn aggregate(root: &mut Item, mode: Mode) {
    if root.is_leaf() {
        root.status = Status::Unknown;
        return;
    }
    let summary = if has_own_status(root) { summarize_own } else { summarize_known };
    settle(root, mode, summary);
}

type Summary = fn(&[Item], Mode) -> Status;

fn has_own_status(item: &Item) -> bool {
    if item.is_leaf() { item.status.is_custom() } else { item.items.iter().any(has_own_status) }
}

fn settle(item: &mut Item, mode: Mode, summary: Summary) {
    if item.is_leaf() {
        return;
    }
    for child in &mut item.items {
        settle(child, mode, summary);
    }
    item.status = summary(&item.items, mode);
}

fn summarize_known(items: &[Item], mode: Mode) -> Status {
    let any = |wanted: fn(&Status) -> bool| items.iter().any(|item| wanted(&item.status));
    if any(Status::is_failure) {
        return Status::Failed;
    }
    if any(|status| *status == Status::Unknown) {
        return Status::Unknown;
    }
    if mode == Mode::Strict && !any(|status| *status == Status::Passed) {
        return Status::Skipped;
    }
    Status::Passed
}

fn summarize_own(items: &[Item], _mode: Mode) -> Status {
    let mut counts = BTreeMap::<&str, u64>::new();
    for item in items {
        let word = item.status.as_str();
        for (key, number) in parse_summary(word).unwrap_or_else(|| vec![(word, 1)]) {
            let count = counts.entry(key).or_default();
            *count = count.saturating_add(number);
        }
    }
    let parts: Vec<String> = counts.iter().map(|(key, number)| format!("{key}: {number}")).collect();
    Status::Custom(parts.join(", "))
}

/// Reads `a: 1, b: 2`; `None` when any part has another form.
fn parse_summary(text: &str) -> Option<Vec<(&str, u64)>> {
    let part = |part: &'_ str| -> Option<(usize, u64)> {
        let at = part.rfind(": ")?;
        if at == 0 {
            return None;
        }
        Some((at, part[at + 2..].parse().ok()?))
    };
    text.split(", ").map(|piece| part(piece).map(|(at, number)| (&piece[..at], number))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(leaves: &[&str], compat: &str, strict: &str) {
        let groups = vec![
            Item::summary("first", leaves.iter().map(|leaf| Item::new("leaf", Status::from(*leaf))).collect()),
            Item::summary("again", leaves.iter().map(|leaf| Item::new("leaf", Status::from(*leaf))).collect()),
        ];
        for (mode, expected) in [(Mode::SonobuoyCompat, compat), (Mode::Strict, strict)] {
            let mut root = Item::summary("root", if leaves.is_empty() { vec![] } else { groups.clone() });
            aggregate(&mut root, mode);
            assert_eq!(root.status.as_str(), expected, "{mode:?} of {leaves:?}");
        }
    }

    #[test]
    fn no_items_are_unknown() {
        check(&[], "unknown", "unknown");
    }

    #[test]
    fn failed_wins_over_unknown_and_unknown_over_passed() {
        check(&["passed", "", "timeout"], "failed", "failed");
        check(&["passed", ""], "unknown", "unknown");
        check(&["passed", "skipped"], "passed", "passed");
    }

    #[test]
    fn all_skipped_is_green_for_sonobuoy_alone() {
        check(&["skipped", "skipped"], "passed", "skipped");
    }

    #[test]
    fn own_statuses_are_counted_and_summed_over_groups() {
        check(
            &["warm", "cold", "warm", "passed", ""],
            "cold: 2, passed: 2, unknown: 2, warm: 4",
            "cold: 2, passed: 2, unknown: 2, warm: 4",
        );
        check(&["a: b", "x: 3"], "a: b: 2, x: 6", "a: b: 2, x: 6");
    }

    #[test]
    fn a_status_that_a_group_claims_is_overwritten() {
        let mut root = Item::summary("root", vec![Item::new("leaf", Status::Failed)]);
        root.items[0].items = vec![Item::new("inner", Status::Passed)];
        root.items[0].status = Status::Custom("splendid".into());
        aggregate(&mut root, Mode::Strict);
        assert_eq!((root.status, root.items.remove(0).status), (Status::Passed, Status::Passed));
    }
}
