//! From typed reports, each with its whole path, to a tree of items.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::{Details, Item, Status};

/// How many names a path may have. Trees are walked recursively: without a bound a hostile plugin
/// would overflow the host's stack with one deep path. Names beyond it are joined into the last one.
pub const PATH_NAMES_MAX: usize = 64;

/// One item as a plugin reports it: where it stands, its verdict, and what supports it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Report {
    /// Names from the outermost group to the item itself; never empty in a valid report.
    pub path: Vec<String>,
    /// The verdict.
    #[serde(default)]
    pub status: Status,
    /// What supports the verdict.
    #[serde(default, skip_serializing_if = "Details::is_empty")]
    pub details: Details,
}

/// Builds the items of one target from its reports.
///
/// Groups come into being by being named. The same path twice gives two items. Groups and items stand
/// in the order in which they were first named. Adding is constant in the number of items before.
#[derive(Debug, Default)]
pub struct TreeBuilder {
    entries: Vec<Entry>,
    groups: HashMap<(Option<usize>, String), usize>,
}

#[derive(Debug)]
struct Entry {
    parent: Option<usize>,
    item: Item,
}

impl TreeBuilder {
    /// Returns a builder that has seen no report.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a report. One without a path becomes an item without a name.
    pub fn add(&mut self, report: Report) {
        let Report { mut path, status, details } = report;
        if path.len() > PATH_NAMES_MAX {
            let rest = path.split_off(PATH_NAMES_MAX - 1).join("|");
            path.push(rest);
        }
        let name = path.pop().unwrap_or_default();
        let mut parent = None;
        for group in path {
            parent = Some(self.group(parent, group));
        }
        self.entries.push(Entry { parent, item: Item { details, ..Item::new(name, status) } });
    }

    fn group(&mut self, parent: Option<usize>, name: String) -> usize {
        let key = (parent, name);
        if let Some(index) = self.groups.get(&key) {
            return *index;
        }
        let index = self.entries.len();
        self.entries.push(Entry { parent, item: Item::new(key.1.clone(), Status::Unknown) });
        self.groups.insert(key, index);
        index
    }

    /// Returns the top-level items, not yet aggregated.
    #[must_use]
    pub fn build(mut self) -> Vec<Item> {
        let mut top = Vec::new();
        // A group always stands before what is in it, so from the end every item is complete when it is met.
        while let Some(Entry { parent, mut item }) = self.entries.pop() {
            item.items.reverse();
            match parent.and_then(|index| self.entries.get_mut(index)) {
                Some(group) => group.item.items.push(item),
                None => top.push(item),
            }
        }
        top.reverse();
        top
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    fn report(path: &str, status: Status) -> Report {
        Report { path: path.split('/').map(str::to_owned).collect(), status, ..Report::default() }
    }

    #[test]
    fn groups_come_by_name_and_the_same_path_twice_is_two_items() {
        let mut builder = TreeBuilder::new();
        for (path, status) in [
            ("b/one", Status::Passed),
            ("a/x/deep", Status::Failed),
            ("b/one", Status::Failed),
            ("a", Status::Skipped),
            ("b/two", Status::Passed),
        ] {
            builder.add(report(path, status));
        }
        expect![[r"
            - name: b
              status: unknown
              items:
              - name: one
                status: passed
              - name: one
                status: failed
              - name: two
                status: passed
            - name: a
              status: unknown
              items:
              - name: x
                status: unknown
                items:
                - name: deep
                  status: failed
            - name: a
              status: skipped
        "]]
        .assert_eq(&serde_yaml::to_string(&builder.build()).expect("items are YAML"));
    }

    #[test]
    fn a_hundred_thousand_items_in_as_many_groups_are_built() {
        let mut builder = TreeBuilder::new();
        for number in 0..100_000 {
            builder.add(report(&format!("{number}/item"), Status::Passed));
        }
        assert_eq!(builder.build().len(), 100_000);
    }

    #[test]
    fn a_path_deeper_than_the_bound_is_joined() {
        let mut builder = TreeBuilder::new();
        builder.add(report(&vec!["x"; 10_000].join("/"), Status::Passed));
        let mut depth = 0;
        let mut items = builder.build();
        while let Some(item) = items.pop() {
            depth += 1;
            items = item.items;
        }
        assert_eq!(depth, PATH_NAMES_MAX);
    }
}
