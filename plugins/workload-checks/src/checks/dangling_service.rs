//! `dangling-service`: a selector that nothing matches sends every request nowhere.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "dangling-service",
    severity: Severity::Medium,
    remedy: "correct the selector, or remove the Service",
    needs: &[SERVICE],
    looks_up: &PODS,
    rule: Rule::Object(&[SERVICE], judge),
};

fn judge(object: &Object, world: &World) -> Verdict {
    let selector = &object.spec.selector;
    if selector.as_object().is_none_or(serde_json::Map::is_empty) || object.spec.r#type == "ExternalName" {
        return Verdict::NotApplicable;
    }
    let matched = |namespace: &str, labels| namespace == object.metadata.namespace && selects(selector, labels);
    let by_workload = world.workloads.iter().any(|workload| matched(&workload.namespace, &workload.labels));
    let by_pod = || world.objects(POD).iter().any(|pod| matched(&pod.metadata.namespace, &pod.metadata.labels));
    if by_workload || by_pod() {
        return Verdict::Passed;
    }
    Verdict::Failed(format!("its selector {selector} matches no pod and no pod template"))
}
