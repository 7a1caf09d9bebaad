//! `host-namespaces`: a pod in the node's namespaces sees the node's network, processes or shared memory.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "host-namespaces",
    severity: Severity::High,
    remedy: "remove `hostNetwork`, `hostPID` and `hostIPC`",
    needs: &PODS,
    looks_up: &[],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    let pod = &workload.pod;
    let used: Vec<_> = [("hostNetwork", pod.host_network), ("hostPID", pod.host_p_i_d), ("hostIPC", pod.host_i_p_c)]
        .into_iter()
        .filter_map(|(name, used)| used.then_some(name))
        .collect();
    if used.is_empty() { Verdict::Passed } else { Verdict::Failed(format!("its pods use {}", used.join(", "))) }
}
