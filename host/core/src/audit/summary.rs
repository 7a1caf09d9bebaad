//! The sum of the records of a run.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{AuditRecord, Verdict, cut};

/// Most distinct refusals that are kept per plugin. Without it, a guest that makes up names fills the host's memory.
pub const MAX_DENIALS: usize = 100;

/// What was refused, how often, and what would lift it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DeniedAccess {
    /// How often it was tried.
    pub count: u64,
    /// What would lift the refusal.
    pub remedy: String,
}

/// The sum of one plugin's records.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PluginSummary {
    /// Calls of host functions.
    pub calls: u64,
    /// Those refused for want of a grant.
    pub denied: u64,
    /// Those that the cluster did not answer.
    pub failed: u64,
    /// Those refused because a bound was used up.
    pub over_budget: u64,
    /// Objects handed to the guest.
    pub objects: u64,
    /// Bytes handed to the guest.
    pub bytes: u64,
    /// Time in host functions, in microseconds.
    pub micros: u64,
    /// Distinct refused accesses; at most [`MAX_DENIALS`].
    pub denials: BTreeMap<String, DeniedAccess>,
    /// Refusals of further accesses, which are counted only.
    pub other_denials: u64,
}

impl PluginSummary {
    fn add(&mut self, record: &AuditRecord) {
        let plus = |sum: &mut u64, more: u64| *sum = sum.saturating_add(more);
        plus(&mut self.calls, 1);
        plus(&mut self.objects, record.objects);
        plus(&mut self.bytes, record.bytes);
        plus(&mut self.micros, record.micros);
        match record.verdict {
            Verdict::Allowed => {}
            Verdict::Failed => plus(&mut self.failed, 1),
            Verdict::Budget => plus(&mut self.over_budget, 1),
            Verdict::Denied => {
                plus(&mut self.denied, 1);
                self.add_denial(record);
            }
        }
    }

    fn add_denial(&mut self, record: &AuditRecord) {
        let mut access = if record.access.is_empty() {
            format!("{}.{}", record.interface, record.call)
        } else {
            format!("{} {}", record.call, record.access)
        };
        cut(&mut access);
        if self.denials.len() >= MAX_DENIALS && !self.denials.contains_key(&access) {
            self.other_denials = self.other_denials.saturating_add(1);
            return;
        }
        let denial = self.denials.entry(access).or_default();
        denial.count = denial.count.saturating_add(1);
        if denial.remedy.is_empty() {
            denial.remedy.clone_from(&record.remedy);
            cut(&mut denial.remedy);
        }
    }
}

/// The sum of a run's records, by plugin. Its size is bounded by the number of plugins.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditSummary {
    /// The sums by the plugin's name.
    pub plugins: BTreeMap<String, PluginSummary>,
}

impl AuditSummary {
    /// Adds a record.
    pub fn add(&mut self, record: &AuditRecord) {
        if let Some(plugin) = self.plugins.get_mut(&record.plugin) {
            return plugin.add(record);
        }
        self.plugins.entry(record.plugin.clone()).or_default().add(record);
    }

    /// Returns the sum over all plugins, without the single refusals.
    #[must_use]
    pub fn total(&self) -> PluginSummary {
        self.plugins.values().fold(PluginSummary::default(), |total, plugin| PluginSummary {
            calls: total.calls.saturating_add(plugin.calls),
            denied: total.denied.saturating_add(plugin.denied),
            failed: total.failed.saturating_add(plugin.failed),
            over_budget: total.over_budget.saturating_add(plugin.over_budget),
            objects: total.objects.saturating_add(plugin.objects),
            bytes: total.bytes.saturating_add(plugin.bytes),
            micros: total.micros.saturating_add(plugin.micros),
            denials: BTreeMap::new(),
            other_denials: total.other_denials.saturating_add(plugin.other_denials),
        })
    }
}
