//! Post-processing: from the files of one plugin to its tree of items.
//!
//! Sonobuoy's rules, and what [`Mode::Strict`] does otherwise. Nothing else differs.
//!
//! | what is there | [`Mode::SonobuoyCompat`] | [`Mode::Strict`] |
//! |---|---|---|
//! | all leaves skipped | passed | skipped |
//! | junit: suite within a suite | not looked at | an item with its own items |
//! | junit: no suite, or a suite without cases | passed | unknown |
//! | junit: case both skipped and failed | skipped | failed |
//! | junit: `tests`, `failures` or `time` is no number | the file is unknown | does not matter |
//! | junit: the file breaks off | unknown | what was read before, and an unknown item |
//! | gojson: the file breaks off | what was read before counts alone | that, and an unknown item |
//! | gojson: no test event at all | passed | unknown |
//! | gojson: package fails without a failed test | not looked at | a failed item for the package |
//! | gojson: test that began and never ended | not looked at | an unknown item |
//! | error that says `reason` | "timeout" in its text decides | `reason` decides |
//! | error file that is no JSON object | failed | failed, and says why in `meta.error` |
//! | gojson: failed test | no details | its output in `details.output` |
//! | error of a `DaemonSet` that names no node | not looked at | an item of the root |
//! | error without `error` text | item `<nil>` | item `Unknown error` |
//!
//! Typed items (see [`TYPED_ITEMS_FILE`]) are Porthole's own and are read in both modes.

use std::collections::BTreeSet;

use super::item::{META_ERROR, META_FILE, META_TYPE, TYPE_FILE};
use super::{Item, Mode, Status, aggregate};

mod error_file;
mod gojson;
mod junit;
mod manual;
mod typed;

/// Name of the file of a target's typed items: one [`super::Report`] as JSON per line.
pub const TYPED_ITEMS_FILE: &str = "porthole_items.jsonl";

/// The largest file whose content is parsed, in bytes; a larger one becomes an unknown item. Without
/// it one file of a hostile archive would take all memory.
pub const PARSED_FILE_BYTES_MAX: u64 = 256 << 20;

/// Whether a plugin has one target for the cluster or one per node.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
pub enum Driver {
    /// One target, `global`.
    #[default]
    Job,
    /// One target per node.
    DaemonSet,
}

/// What decides how the files of a plugin are read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PluginShape {
    /// The plugin's name, which is the name of the root.
    pub name: String,
    /// Its driver.
    pub driver: Driver,
    /// `junit`, `e2e`, `gojson`, `manual`, `items`; anything else means raw.
    pub format: String,
    /// When not empty, only files with these base names are looked at.
    pub result_files: Vec<String>,
}

/// What a [`Processor`] wants of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interest {
    /// Nothing.
    Ignored,
    /// To be told that it is there, with any content.
    Name,
    /// Its content.
    Content,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Junit,
    GoJson,
    Manual,
    Items,
    Raw,
}

impl Format {
    fn of(word: &str) -> Self {
        match word {
            "junit" | "e2e" => Self::Junit,
            "gojson" => Self::GoJson,
            "manual" => Self::Manual,
            "items" => Self::Items,
            _ => Self::Raw,
        }
    }

    fn takes_by_default(self, base_name: &str) -> bool {
        match self {
            Self::Junit => base_name.ends_with(".xml"),
            Self::GoJson => base_name.ends_with(".json"),
            Self::Manual => base_name.ends_with(".yaml") || base_name.ends_with(".yml"),
            Self::Items => false,
            Self::Raw => true,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Section {
    Results,
    Errors,
}

/// Takes the files of one plugin in any order and gives its tree.
///
/// Ask [`Processor::interest`] for every path, directories included, and hand over what it wants.
/// Keeps items, not contents.
#[derive(Debug)]
pub struct Processor {
    shape: PluginShape,
    format: Format,
    mode: Mode,
    files: Vec<File>,
    nodes: BTreeSet<(Section, String)>,
}

#[derive(Debug)]
struct File {
    section: Section,
    path: String,
    items: Vec<Item>,
}

impl Processor {
    /// Returns a processor that has seen no file.
    #[must_use]
    pub fn new(shape: PluginShape, mode: Mode) -> Self {
        let format = Format::of(&shape.format);
        Self { shape, format, mode, files: Vec::new(), nodes: BTreeSet::new() }
    }

    /// Says what is wanted of the file or directory at `path`, relative to the plugin's folder.
    ///
    /// A directory is given with a trailing slash; a node's empty directory makes an unknown item.
    pub fn interest(&mut self, path: &str) -> Interest {
        let Some((section, below)) = section_of(path) else { return Interest::Ignored };
        let node = below.split_once('/').map(|(node, _)| node);
        if self.shape.driver == Driver::DaemonSet {
            match node {
                Some(node) => _ = self.nodes.insert((section, node.to_owned())),
                None if section == Section::Errors && self.mode == Mode::Strict => {}
                None => return Interest::Ignored,
            }
        }
        let base_name = base_name(path);
        if base_name.is_empty() {
            return Interest::Ignored;
        }
        if section == Section::Errors {
            return if base_name == "error.json" { Interest::Content } else { Interest::Ignored };
        }
        if base_name == TYPED_ITEMS_FILE {
            return Interest::Content;
        }
        let taken = if self.shape.result_files.is_empty() {
            self.format.takes_by_default(base_name)
        } else {
            self.format != Format::Items && self.shape.result_files.iter().any(|name| name == base_name)
        };
        match (taken, self.format) {
            (false, _) => Interest::Ignored,
            (true, Format::Raw) => Interest::Name,
            (true, _) => Interest::Content,
        }
    }

    /// Adds a file in which [`Processor::interest`] is. What cannot be understood becomes an unknown item.
    pub fn add(&mut self, path: &str, content: &[u8]) {
        let Some((section, _)) = section_of(path) else { return };
        let items = if section == Section::Errors {
            vec![error_file::read(path, content, self.mode)]
        } else if base_name(path) == TYPED_ITEMS_FILE {
            typed::read(path, content)
        } else {
            vec![match self.format {
                Format::Junit => junit::read(path, content, self.mode),
                Format::GoJson => gojson::read(path, content, self.mode),
                Format::Manual => manual::read(path, content),
                Format::Raw | Format::Items => Item::new(base_name(path), Status::Passed).with_meta(META_FILE, path),
            }]
        };
        self.files.push(File { section, path: path.to_owned(), items });
    }

    /// Adds a file in which [`Processor::interest`] is, and whose content could not be had.
    pub fn add_unreadable(&mut self, path: &str, reason: &str) {
        let Some((section, _)) = section_of(path) else { return };
        let item = file_item(path, Status::Unknown).with_meta(META_ERROR, reason);
        self.files.push(File { section, path: path.to_owned(), items: vec![item] });
    }

    /// Returns the tree, with the status of every group.
    #[must_use]
    pub fn finish(mut self) -> Item {
        // As a walk of the folder: results before errors, and within a folder by name.
        self.files.sort_by(|left, right| {
            left.section.cmp(&right.section).then_with(|| left.path.split('/').cmp(right.path.split('/')))
        });
        let items = match self.shape.driver {
            Driver::Job => self.files.into_iter().flat_map(|file| file.items).collect(),
            Driver::DaemonSet => by_node(self.files, self.nodes),
        };
        let mut root = Item::summary(self.shape.name, items);
        aggregate(&mut root, self.mode);
        root
    }
}

/// Groups the sorted files by node; the errors of a node are an item of their own.
fn by_node(files: Vec<File>, nodes: BTreeSet<(Section, String)>) -> Vec<Item> {
    let mut by_node: std::collections::BTreeMap<(Section, String), Vec<Item>> =
        nodes.into_iter().map(|node| (node, Vec::new())).collect();
    let mut without_node = Vec::new();
    for file in files {
        let node = section_of(&file.path).and_then(|(section, below)| Some((section, below.split_once('/')?.0)));
        match node {
            Some((section, node)) => by_node.entry((section, node.to_owned())).or_default().extend(file.items),
            None => without_node.extend(file.items),
        }
    }
    let mut items: Vec<Item> = by_node.into_iter().map(|((_, node), items)| Item::node(node, items)).collect();
    items.extend(without_node);
    items
}

fn section_of(path: &str) -> Option<(Section, &str)> {
    match path.split_once('/')? {
        ("results", below) => Some((Section::Results, below)),
        ("errors", below) => Some((Section::Errors, below)),
        _ => None,
    }
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn file_item(path: &str, status: Status) -> Item {
    Item::new(base_name(path), status).with_meta(META_FILE, path).with_meta(META_TYPE, TYPE_FILE)
}

#[cfg(test)]
mod tests;
