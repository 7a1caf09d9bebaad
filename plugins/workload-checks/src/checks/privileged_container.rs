//! `privileged-container`: a privileged container is root on the node.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "privileged-container",
    severity: Severity::Critical,
    remedy: "remove `securityContext.privileged`; add the capabilities that are needed instead",
    needs: &PODS,
    looks_up: &[],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    each(workload.all_containers(), "run privileged", |container| container.security_context.privileged == Some(true))
}
