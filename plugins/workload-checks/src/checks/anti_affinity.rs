//! `anti-affinity`: replicas that may all run on one node are down together.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "anti-affinity",
    severity: Severity::Low,
    remedy: "add `topologySpreadConstraints`, or a `podAntiAffinity` to its own labels",
    needs: &PODS,
    looks_up: &[],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    if !workload.is_replicated() || workload.replicas == Some(0) {
        return Verdict::NotApplicable;
    }
    let spread = !workload.pod.topology_spread_constraints.is_empty();
    let apart = &workload.pod.affinity["podAntiAffinity"];
    let has = |terms: &str| apart[terms].as_array().is_some_and(|terms| !terms.is_empty());
    if spread
        || has("requiredDuringSchedulingIgnoredDuringExecution")
        || has("preferredDuringSchedulingIgnoredDuringExecution")
    {
        return Verdict::Passed;
    }
    Verdict::Failed("its replicas may all run on one node".to_owned())
}
