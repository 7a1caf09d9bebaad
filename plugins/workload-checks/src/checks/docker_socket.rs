//! `docker-socket`: who can speak to the container runtime can start anything on the node.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "docker-socket",
    severity: Severity::Critical,
    remedy: "remove the mount; who speaks to the container runtime is root on the node",
    needs: &PODS,
    looks_up: &[],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    match host_paths(workload).find(|path| is_runtime_socket(path)) {
        Some(path) => Verdict::Failed(format!("its pods mount the container runtime's socket `{path}`")),
        None => Verdict::Passed,
    }
}
