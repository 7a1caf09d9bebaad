//! `pod-disruption-budget`: without one, draining nodes may stop all replicas at once.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "pod-disruption-budget",
    severity: Severity::Low,
    remedy: "add a PodDisruptionBudget that selects its pods",
    needs: &PODS,
    looks_up: &[BUDGET],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, world: &World) -> Verdict {
    if !matches!(workload.kind.as_str(), "Deployment" | "StatefulSet") || workload.replicas == Some(0) {
        return Verdict::NotApplicable;
    }
    let protects = |budget: &Object| {
        budget.metadata.namespace == workload.namespace && selects(&budget.spec.selector, &workload.labels)
    };
    if world.objects(BUDGET).iter().any(protects) {
        return Verdict::Passed;
    }
    Verdict::Failed("no PodDisruptionBudget selects its pods".to_owned())
}
