//! What a watch has said so far, so that after a gap it can say the difference.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::limit;
use crate::cluster::{ClusterError, Object, Result, WatchEvent};

type Key = (String, String);

/// The objects that a watch's reader believes to be there.
#[derive(Default)]
pub(super) struct Known {
    objects: BTreeMap<Key, Object>,
    bytes: usize,
}

#[derive(Deserialize)]
struct Versioned {
    metadata: Version,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    #[serde(default)]
    resource_version: String,
    #[serde(default)]
    uid: String,
}

/// Returns uid and resource version; equal ones mean the same state of the same object.
fn state(object: &Object) -> Option<(String, String)> {
    let read: Versioned = serde_json::from_slice(object.json()).ok()?;
    Some((read.metadata.uid, read.metadata.resource_version))
}

fn key(object: &Object) -> Key {
    let (namespace, name) = object.key();
    (namespace.to_owned(), name.to_owned())
}

impl Known {
    /// Notes that an object is there and returns what is new about it; `None` when that state was said before.
    ///
    /// An object that was deleted and made again under its name, unseen, is gone first and then there.
    pub(super) fn seen(&mut self, object: Object) -> Result<Vec<WatchEvent>> {
        self.bytes += object.json().len();
        let before = self.objects.insert(key(&object), object.clone());
        self.bytes -= before.as_ref().map_or(0, |before| before.json().len());
        if self.bytes > limit::WATCH_KNOWN_BYTES {
            return Err(ClusterError::Refused(crate::cluster::Status {
                code: 0,
                reason: "TooLarge".into(),
                message: format!(
                    "the objects to watch have more than {} MiB; select fewer by namespace or label",
                    limit::WATCH_KNOWN_BYTES >> 20
                ),
            }));
        }
        let Some(before) = before else { return Ok(vec![WatchEvent::Added(object)]) };
        let (Some(old), Some(new)) = (state(&before), state(&object)) else {
            return Ok(vec![WatchEvent::Modified(object)]);
        };
        if old == new {
            return Ok(Vec::new());
        }
        if old.0 == new.0 {
            return Ok(vec![WatchEvent::Modified(object)]);
        }
        Ok(vec![WatchEvent::Deleted(before), WatchEvent::Added(object)])
    }

    /// Notes that an object is gone; no event when nobody knew it.
    pub(super) fn gone(&mut self, object: Object) -> Vec<WatchEvent> {
        let Some(before) = self.objects.remove(&key(&object)) else { return Vec::new() };
        self.bytes -= before.json().len();
        vec![WatchEvent::Deleted(object)]
    }

    /// Compares with a fresh and whole list: first what is gone, then what is new or changed.
    pub(super) fn replaced(&mut self, list: Vec<Object>) -> Result<Vec<WatchEvent>> {
        let there: std::collections::BTreeSet<Key> = list.iter().map(key).collect();
        let gone: Vec<Object> =
            self.objects.iter().filter(|(key, _)| !there.contains(*key)).map(|(_, object)| object.clone()).collect();
        let mut events: Vec<WatchEvent> = gone.into_iter().flat_map(|object| self.gone(object)).collect();
        for object in list {
            events.extend(self.seen(object)?);
        }
        Ok(events)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(name: &str, uid: &str, version: u32) -> Object {
        let text = format!(r#"{{"metadata":{{"name":"{name}","uid":"{uid}","resourceVersion":"{version}"}}}}"#);
        Object::from_json(text).expect("the test writes JSON")
    }

    fn words(events: &[WatchEvent]) -> Vec<String> {
        let word = |event: &WatchEvent| match event {
            WatchEvent::Added(object) => format!("added {}", object.name()),
            WatchEvent::Modified(object) => format!("modified {}", object.name()),
            WatchEvent::Deleted(object) => format!("deleted {}", object.name()),
        };
        events.iter().map(word).collect()
    }

    #[test]
    fn after_a_gap_only_the_difference_is_said() {
        let mut known = Known::default();
        let first = vec![object("a", "1", 1), object("b", "2", 2), object("c", "3", 3), object("d", "4", 4)];
        let events = known.replaced(first).expect("this is little");
        assert_eq!(words(&events), ["added a", "added b", "added c", "added d"]);
        let second = vec![object("a", "1", 1), object("b", "2", 9), object("d", "8", 8), object("e", "5", 5)];
        let events = known.replaced(second).expect("this is little");
        assert_eq!(words(&events), ["deleted c", "modified b", "deleted d", "added d", "added e"]);
    }

    #[test]
    fn what_a_restarted_watch_repeats_is_not_said_twice() {
        let mut known = Known::default();
        assert_eq!(words(&known.seen(object("a", "1", 1)).expect("this is little")), ["added a"]);
        assert!(known.seen(object("a", "1", 1)).expect("this is little").is_empty());
        assert_eq!(words(&known.gone(object("a", "1", 2))), ["deleted a"]);
        assert!(known.gone(object("a", "1", 2)).is_empty());
        assert_eq!(known.bytes, 0);
    }
}
