//! `dangerous-capabilities`: capabilities with which a container can leave its box, or that it never dropped.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "dangerous-capabilities",
    severity: Severity::High,
    remedy: "set `securityContext.capabilities.drop: [ALL]` and add only what is needed",
    needs: &PODS,
    looks_up: &[],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    let added = each(workload.all_containers(), "add capabilities beyond NET_BIND_SERVICE", |container| {
        container.security_context.capabilities.add.iter().any(|name| plain(name) != "NET_BIND_SERVICE")
    });
    if added != Verdict::Passed {
        return added;
    }
    each(workload.all_containers(), "do not drop all capabilities", |container| {
        !container.security_context.capabilities.drop.iter().any(|name| plain(name) == "ALL")
    })
}

/// A capability's name as Kubernetes writes it.
fn plain(name: &str) -> String {
    name.to_ascii_uppercase().trim_start_matches("CAP_").to_owned()
}
