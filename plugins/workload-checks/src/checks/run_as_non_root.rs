//! `run-as-non-root`: no container may run as root (Pod Security Standard "restricted").

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "run-as-non-root",
    severity: Severity::High,
    remedy: "set `securityContext.runAsNonRoot: true`, and a `runAsUser` other than 0 where the image needs it",
    needs: &PODS,
    looks_up: &[],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    let pod = &workload.pod.security_context;
    each(workload.all_containers(), "may run as root", |container| {
        let own = &container.security_context;
        let user = own.run_as_user.or(pod.run_as_user);
        let non_root = own.run_as_non_root.or(pod.run_as_non_root).unwrap_or(false);
        // The kubelet refuses to start user 0 under runAsNonRoot, so the flag alone is enough; a user alone is too.
        user == Some(0) || (!non_root && user.is_none())
    })
}
