//! `readiness-probe`: without it a Service sends requests to containers that cannot answer yet.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "readiness-probe",
    severity: Severity::Medium,
    remedy: "add a `readinessProbe` that fails while requests cannot be served",
    needs: &PODS,
    looks_up: &[],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    if workload.ends() {
        return Verdict::NotApplicable;
    }
    each(workload.containers(), "have no readiness probe", |container| container.readiness_probe.is_none())
}
