//! `token-mount`: a token that is mounted without being asked for is found by every intruder.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "token-mount",
    severity: Severity::Medium,
    remedy: "set `automountServiceAccountToken: false`, or mount a token with its own audience where one is needed",
    needs: &PODS,
    looks_up: &[],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    if workload.pod.automount_service_account_token == Some(false) {
        return Verdict::Passed;
    }
    Verdict::Failed("the token of its ServiceAccount is mounted".to_owned())
}
