//! A projection, compiled to what is to be done with each key.

use std::collections::BTreeMap;

use crate::field_path::{FieldPath, FieldSet};

use super::ALWAYS_KEPT;

/// What is done with a value.
#[derive(Debug, Clone)]
pub(super) enum Rule {
    /// It is copied as it stands.
    Copy,
    /// It is left out.
    Drop,
    /// It is looked into.
    Walk(Node),
}

/// What is done with the keys of an object.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// Keys with a rule of their own.
    pub(super) keys: BTreeMap<String, Rule>,
    /// Whether other keys, and values that are no objects, are copied.
    pub(super) others: Others,
}

/// What is done with what has no rule of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Others {
    /// Copied.
    Copied,
    /// Left out.
    Dropped,
}

#[derive(Debug, Default)]
struct Tree {
    whole: Whole,
    below: BTreeMap<String, Tree>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Whole {
    #[default]
    No,
    Yes,
}

impl Tree {
    fn new<'a>(paths: impl IntoIterator<Item = &'a FieldPath>) -> Self {
        let mut tree = Self::default();
        for path in paths {
            let end = path.parts().iter().fold(&mut tree, |tree, part| tree.below.entry(part.clone()).or_default());
            end.whole = Whole::Yes;
        }
        tree
    }
}

fn is_whole(tree: Option<&Tree>) -> bool {
    tree.is_some_and(|tree| tree.whole == Whole::Yes)
}

/// Returns the rule for a whole object; `included` is none for everything.
pub(super) fn compile(included: Option<&FieldSet>, omitted: &FieldSet) -> Rule {
    let always: FieldSet = ALWAYS_KEPT.iter().filter_map(|path| path.parse::<FieldPath>().ok()).collect();
    let (included, around) = match included {
        None => (None, Others::Copied),
        Some(fields) => (Some(Tree::new(fields.paths())), Others::Dropped),
    };
    let omitted = (!omitted.is_empty()).then(|| Tree::new(omitted.paths()));
    rule(included.as_ref(), omitted.as_ref(), Some(&Tree::new(always.paths())), around)
}

fn rule(included: Option<&Tree>, omitted: Option<&Tree>, always: Option<&Tree>, around: Others) -> Rule {
    if is_whole(always) {
        return Rule::Copy;
    }
    // Below an omitted field only what is always kept is left to look for.
    let (included, omitted, around) = match (is_whole(omitted), is_whole(included)) {
        (true, _) => (None, None, Others::Dropped),
        (false, true) => (included, omitted, Others::Copied),
        (false, false) => (included, omitted, around),
    };
    match around {
        Others::Copied if omitted.is_none() => return Rule::Copy,
        Others::Dropped if included.is_none() && always.is_none() => return Rule::Drop,
        Others::Copied | Others::Dropped => {}
    }
    let below = |tree: Option<&Tree>| tree.map(|tree| tree.below.keys().cloned().collect::<Vec<_>>());
    let names = [included, omitted, always].into_iter().filter_map(below).flatten();
    let keys = names
        .map(|name| {
            let child = rule(
                included.and_then(|tree| tree.below.get(&name)),
                omitted.and_then(|tree| tree.below.get(&name)),
                always.and_then(|tree| tree.below.get(&name)),
                around,
            );
            (name, child)
        })
        .collect();
    Rule::Walk(Node { keys, others: around })
}
