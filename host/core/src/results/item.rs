//! The item: Sonobuoy's node of a result tree.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::Status;

/// What supports a verdict: free keys, sorted.
pub type Details = BTreeMap<String, Value>;

/// Key of [`Item::meta`]: what the item stands for, one of the `TYPE_` values.
pub const META_TYPE: &str = "type";
/// Key of [`Item::meta`]: a file, relative to the plugin's folder.
pub const META_FILE: &str = "file";
/// Key of [`Item::meta`]: why a file could not be understood.
pub const META_ERROR: &str = "error";
/// Key of [`Item::meta`] in detailed output: the names above the item, joined by `|`.
pub const META_PATH: &str = "path";
/// The root of a plugin's tree.
pub const TYPE_SUMMARY: &str = "summary";
/// All results of one node.
pub const TYPE_NODE: &str = "node";
/// All results of one file.
pub const TYPE_FILE: &str = "file";

/// One thing that was looked at, or a group of them.
///
/// Written with the keys in this order; `meta`, `details` and `items` are left out when empty.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Item {
    /// Its name among its neighbours; need not be unique.
    #[serde(default, deserialize_with = "or_default")]
    pub name: String,
    /// Its verdict; for a group, the summary of the items in it.
    #[serde(default)]
    pub status: Status,
    /// Facts on the item itself, under the `META_` keys.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "or_default")]
    pub meta: BTreeMap<String, String>,
    /// What supports the verdict.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty", deserialize_with = "or_default")]
    pub details: Details,
    /// The items of a group, in order of appearance; empty for a leaf.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "or_default")]
    pub items: Vec<Self>,
}

/// Reads an absent value and `null` alike, as Go does.
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(deserializer: D) -> Result<T, D::Error> {
    Ok(Option::<T>::deserialize(deserializer)?.unwrap_or_default())
}

impl Item {
    /// Returns an item of this name and status with nothing else.
    #[must_use]
    pub fn new(name: impl Into<String>, status: Status) -> Self {
        Self { name: name.into(), status, ..Self::default() }
    }

    /// Returns the root of a plugin's tree, not yet aggregated.
    #[must_use]
    pub fn summary(plugin: impl Into<String>, items: Vec<Self>) -> Self {
        Self { items, ..Self::new(plugin, Status::Unknown) }.with_meta(META_TYPE, TYPE_SUMMARY)
    }

    /// Returns the item of a node, not yet aggregated.
    #[must_use]
    pub fn node(node: impl Into<String>, items: Vec<Self>) -> Self {
        Self { items, ..Self::new(node, Status::Unknown) }.with_meta(META_TYPE, TYPE_NODE)
    }

    /// Returns the item with one more fact in `meta`.
    #[must_use]
    pub fn with_meta(mut self, key: &str, value: impl Into<String>) -> Self {
        self.meta.insert(key.to_owned(), value.into());
        self
    }

    /// Returns whether no item is in it.
    #[must_use]
    pub fn is_leaf(&self) -> bool {
        self.items.is_empty()
    }

    /// Returns the first item of this name, searching the item itself and then depth first.
    ///
    /// An empty name means the item itself.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Self> {
        if name.is_empty() || self.name == name {
            return Some(self);
        }
        self.items.iter().find_map(|item| item.find(name))
    }

    /// Calls `visit` for each leaf, in order, with the names above it.
    pub fn for_each_leaf<'a>(&'a self, visit: &mut dyn FnMut(&[&'a str], &'a Self)) {
        self.walk(&mut Vec::new(), visit);
    }

    fn walk<'a>(&'a self, path: &mut Vec<&'a str>, visit: &mut dyn FnMut(&[&'a str], &'a Self)) {
        if self.is_leaf() {
            visit(path, self);
            return;
        }
        path.push(&self.name);
        for item in &self.items {
            item.walk(path, visit);
        }
        path.pop();
    }
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn keys_come_in_sonobuoys_order_and_empty_ones_are_left_out() {
        let mut leaf = Item::new("b", Status::Failed);
        leaf.details.insert("z".into(), "1".into());
        leaf.details.insert("a".into(), "2".into());
        let root = Item::summary("p", vec![Item::new("a", Status::Unknown), leaf]);
        expect![[r#"{"name":"p","status":"unknown","meta":{"type":"summary"},"items":[{"name":"a","status":"unknown"},{"name":"b","status":"failed","details":{"a":"2","z":"1"}}]}"#]]
            .assert_eq(&serde_json::to_string(&root).expect("an item is always JSON"));
        expect![[r#"
            name: p
            status: unknown
            meta:
              type: summary
            items:
            - name: a
              status: unknown
            - name: b
              status: failed
              details:
                a: '2'
                z: '1'
        "#]]
        .assert_eq(&serde_yaml::to_string(&root).expect("an item is always YAML"));
    }

    #[test]
    fn null_and_absent_mean_empty() {
        let item: Item = serde_yaml::from_str("name: a\nstatus:\nmeta: null\nitems:\n").expect("nulls are accepted");
        assert_eq!(item, Item::new("a", Status::Unknown));
    }

    #[test]
    fn find_prefers_the_item_itself_then_goes_depth_first() {
        let deep = Item::summary("a", vec![Item::new("x", Status::Passed)]);
        let root = Item::summary("root", vec![deep, Item::new("x", Status::Failed)]);
        assert_eq!(root.find("x").map(|item| &item.status), Some(&Status::Passed));
        assert_eq!(root.find("").map(|item| item.name.as_str()), Some("root"));
        assert_eq!(root.find("y"), None);
    }
}
