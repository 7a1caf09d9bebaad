//! `default-service-account`: rights that are given to the default account are given to every pod.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "default-service-account",
    severity: Severity::Medium,
    remedy: "give it a ServiceAccount of its own",
    needs: &PODS,
    looks_up: &[],
    rule: Rule::Workload(judge),
};

fn judge(workload: &Workload, _world: &World) -> Verdict {
    match workload.pod.service_account_name.as_str() {
        "" | "default" => Verdict::Failed("its pods use the default ServiceAccount".to_owned()),
        _ => Verdict::Passed,
    }
}
