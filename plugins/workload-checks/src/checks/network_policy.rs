//! `network-policy`: pods that no policy selects talk to everybody.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "network-policy",
    severity: Severity::Medium,
    remedy: "add a NetworkPolicy that selects its pods, or one for the whole namespace (`podSelector: {}`)",
    needs: &PODS,
    looks_up: &[NETWORK_POLICY],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, world: &World) -> Verdict {
    if workload.pod.host_network {
        return Verdict::Skipped("policies do not hold for pods in the node's network");
    }
    let selects_it = |policy: &Object| {
        let everything = policy.spec.pod_selector.as_object().is_some_and(serde_json::Map::is_empty);
        policy.metadata.namespace == workload.namespace
            && (everything || selects(&policy.spec.pod_selector, &workload.labels))
    };
    if world.objects(NETWORK_POLICY).iter().any(selects_it) {
        return Verdict::Passed;
    }
    Verdict::Failed("no NetworkPolicy selects its pods".to_owned())
}
