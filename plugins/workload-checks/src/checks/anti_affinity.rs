//! `anti-affinity`: replicas that may all run on one node are down together.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "anti-affinity",
    severity: Severity::Low,
    remedy: "add `topologySpreadConstraints`, or a `podAntiAffinity` to its own labels",
    needs: &PODS,
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    if !workload.is_replicated() || workload.replicas == Some(0) {
        return Verdict::NotApplicable;
    }
    let spread = !workload.pod.topology_spread_constraints.is_empty();
    if spread || workload.pod.affinity["podAntiAffinity"].is_object() {
        return Verdict::Passed;
    }
    Verdict::Failed("its replicas may all run on one node".to_owned())
}
