//! `resource-limits`: without limits one container can take the whole node.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "resource-limits",
    severity: Severity::Medium,
    remedy: "set `resources.limits.memory`, and `resources.limits.cpu` where noisy neighbours matter",
    needs: &PODS,
    looks_up: &[],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    each(workload.containers(), "have no CPU or no memory limit", |container| {
        let limits = &container.resources.limits;
        !(limits.contains_key("cpu") && limits.contains_key("memory"))
    })
}
