//! `privilege-escalation`: a process may not gain more rights than its parent; allowed unless said otherwise.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "privilege-escalation",
    severity: Severity::High,
    remedy: "set `securityContext.allowPrivilegeEscalation: false`",
    needs: &PODS,
    looks_up: &[],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    each(workload.all_containers(), "may gain privileges", |container| {
        container.security_context.allow_privilege_escalation != Some(false)
    })
}
