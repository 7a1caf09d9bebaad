//! `liveness-probe`: without it a container that hangs stays as it is.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "liveness-probe",
    severity: Severity::Low,
    remedy: "add a `livenessProbe` that fails when only a restart helps",
    needs: &PODS,
    looks_up: &[],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    if workload.ends() {
        return Verdict::NotApplicable;
    }
    each(workload.containers(), "have no liveness probe", |container| container.liveness_probe.is_none())
}
