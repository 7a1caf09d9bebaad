//! `secret-in-environment`: an environment is shown by `kubectl describe`, crash reports and child processes.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "secret-in-environment",
    severity: Severity::Medium,
    remedy: "mount the Secret as a file, and keep no secret as plain text",
    needs: &PODS,
    looks_up: &[],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    each(workload.all_containers(), "have a secret in their environment", |container| {
        let by_variable = container.env.iter().any(|variable| {
            variable.value_from["secretKeyRef"].is_object()
                || (is_secret_name(&variable.name) && !looks_like_a_reference(&variable.value))
        });
        by_variable || container.env_from.iter().any(|source| source["secretRef"].is_object())
    })
}
