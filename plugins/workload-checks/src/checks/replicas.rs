//! `replicas`: a single replica is down whenever its node is.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "replicas",
    severity: Severity::Low,
    remedy: "run at least two replicas",
    needs: &PODS,
    looks_up: &[],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    if !matches!(workload.kind.as_str(), "Deployment" | "StatefulSet") {
        return Verdict::NotApplicable;
    }
    match workload.replicas.unwrap_or(1) {
        0 => Verdict::Skipped("it is scaled to zero"),
        1 => Verdict::Failed("it has a single replica".to_owned()),
        _ => Verdict::Passed,
    }
}
