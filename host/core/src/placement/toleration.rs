//! Tolerations, and whether they tolerate a taint.

use super::Taint;

/// What a taint does to pods that do not tolerate it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaintEffect {
    /// They are not scheduled.
    NoSchedule,
    /// They are scheduled only where nothing else is left; it never excludes a node.
    PreferNoSchedule,
    /// They are not scheduled, and evicted where they run.
    NoExecute,
}

impl TaintEffect {
    /// Every effect, as it is written.
    pub const NAMES: [&'static str; 3] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

    /// Returns the effect that is written so; the case matters, as in Kubernetes.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "NoSchedule" => Self::NoSchedule,
            "PreferNoSchedule" => Self::PreferNoSchedule,
            "NoExecute" => Self::NoExecute,
            _ => return None,
        })
    }

    /// Returns how the effect is written.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::NoSchedule => "NoSchedule",
            Self::PreferNoSchedule => "PreferNoSchedule",
            Self::NoExecute => "NoExecute",
        }
    }
}

/// How a toleration compares a taint's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TolerationOperator {
    /// The values are equal; what a toleration without an operator means.
    #[default]
    Equal,
    /// The value does not matter.
    Exists,
}

/// A taint, or a group of taints, that does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Toleration {
    /// The taint's key; empty for every key, which needs [`TolerationOperator::Exists`].
    pub key: String,
    /// How the value is compared.
    pub operator: TolerationOperator,
    /// The taint's value.
    pub value: String,
    /// The taint's effect; `None` for every effect.
    pub effect: Option<TaintEffect>,
}

impl Toleration {
    /// Returns the toleration of everything, which Sonobuoy gives its per-node plugins.
    #[must_use]
    pub fn everything() -> Self {
        Self { operator: TolerationOperator::Exists, ..Self::default() }
    }

    /// Returns whether `taint` is tolerated. `tolerationSeconds` plays no part: the taint is there now.
    pub(super) fn tolerates(&self, taint: &Taint) -> bool {
        if self.effect.is_some_and(|effect| effect != taint.effect) {
            return false;
        }
        match self.operator {
            TolerationOperator::Exists => self.key.is_empty() || self.key == taint.key,
            // An empty key with `Equal` matches nothing; the API server refuses it.
            TolerationOperator::Equal => self.key == taint.key && !self.key.is_empty() && self.value == taint.value,
        }
    }
}

/// Taints that the `DaemonSet` controller makes every one of its pods tolerate.
///
/// `network-unavailable` is not here: the controller tolerates it only for pods in the host's network.
const OF_THE_CONTROLLER: [(&str, TaintEffect); 6] = [
    ("node.kubernetes.io/not-ready", TaintEffect::NoExecute),
    ("node.kubernetes.io/unreachable", TaintEffect::NoExecute),
    ("node.kubernetes.io/disk-pressure", TaintEffect::NoSchedule),
    ("node.kubernetes.io/memory-pressure", TaintEffect::NoSchedule),
    ("node.kubernetes.io/pid-pressure", TaintEffect::NoSchedule),
    ("node.kubernetes.io/unschedulable", TaintEffect::NoSchedule),
];

/// Returns whether the `DaemonSet` controller tolerates `taint` for every pod.
pub(super) fn of_the_controller(taint: &Taint) -> bool {
    OF_THE_CONTROLLER.iter().any(|(key, effect)| taint.key == *key && taint.effect == *effect)
}
