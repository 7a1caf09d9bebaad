//! `host-path`: a folder of the node in a pod is a way out of it.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "host-path",
    severity: Severity::High,
    remedy: "use a PersistentVolume, an `emptyDir` or a `configMap` instead",
    needs: &PODS,
    looks_up: &[],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    let paths: Vec<_> =
        host_paths(workload).filter(|path| !is_runtime_socket(path)).map(|path| format!("`{path}`")).collect();
    if paths.is_empty() {
        Verdict::Passed
    } else {
        Verdict::Failed(format!("its pods mount {} of the node", paths.join(", ")))
    }
}
