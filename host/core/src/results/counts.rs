//! How many leaves of a tree have which status.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Item, Status};

/// Number of leaves by status; statuses that do not occur are absent. Written as a map from word to number.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Counts(BTreeMap<Status, u64>);

impl Counts {
    /// Counts the leaves of `root`. A root without items is itself the only leaf.
    #[must_use]
    pub fn of(root: &Item) -> Self {
        let mut counts = Self::default();
        root.for_each_leaf(&mut |_, leaf| counts.add(&leaf.status, 1));
        counts
    }

    /// Adds so many leaves of one status.
    pub fn add(&mut self, status: &Status, number: u64) {
        if number > 0 {
            let count = self.0.entry(status.clone()).or_default();
            *count = count.saturating_add(number);
        }
    }

    /// Adds all of `other`.
    pub fn merge(&mut self, other: &Self) {
        for (status, number) in &other.0 {
            self.add(status, *number);
        }
    }

    /// Returns how many leaves have exactly this status.
    #[must_use]
    pub fn get(&self, status: &Status) -> u64 {
        self.0.get(status).copied().unwrap_or_default()
    }

    /// Returns how many leaves failed or timed out.
    #[must_use]
    pub fn failures(&self) -> u64 {
        self.get(&Status::Failed).saturating_add(self.get(&Status::Timeout))
    }

    /// Returns how many leaves there are.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.values().fold(0, |sum, number| sum.saturating_add(*number))
    }

    /// Returns the counts in order: Sonobuoy's five statuses, then the plugin's own by name.
    pub fn iter(&self) -> impl Iterator<Item = (&Status, u64)> {
        self.0.iter().map(|(status, number)| (status, *number))
    }
}
