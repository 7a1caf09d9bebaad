//! `resource-requests`: without requests the scheduler does not know what a pod needs.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "resource-requests",
    severity: Severity::Medium,
    remedy: "set `resources.requests.cpu` and `resources.requests.memory`",
    needs: &PODS,
    looks_up: &[],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    each(workload.containers(), "request no CPU or no memory", |container| {
        // A limit without a request is the request too.
        let has =
            |name| container.resources.requests.contains_key(name) || container.resources.limits.contains_key(name);
        !(has("cpu") && has("memory"))
    })
}
