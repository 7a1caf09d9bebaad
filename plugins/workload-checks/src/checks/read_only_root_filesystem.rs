//! `read-only-root-filesystem`: a container that can write to its image can be changed by an intruder.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "read-only-root-filesystem",
    severity: Severity::Low,
    remedy: "set `securityContext.readOnlyRootFilesystem: true` and mount an `emptyDir` where it writes",
    needs: &PODS,
    looks_up: &[],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    each(workload.all_containers(), "can write to their root file system", |container| {
        container.security_context.read_only_root_filesystem != Some(true)
    })
}
