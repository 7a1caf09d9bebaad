//! `pods-exec`: who may run programs in pods has all that those pods have.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "pods-exec",
    severity: Severity::High,
    remedy: "remove `pods/exec` and `pods/attach`, or bind the role only while it is needed",
    needs: &[ROLE, CLUSTER_ROLE],
    looks_up: &[],
    rule: Rule::Object(&[ROLE, CLUSTER_ROLE], judge),
};

fn judge(object: &Object, _world: &World) -> Verdict {
    if is_bootstrapped(object) {
        return Verdict::Skipped("Kubernetes' own role");
    }
    let has = |names: &[String], wanted: &[&str]| names.iter().any(|name| wanted.contains(&name.as_str()));
    // As Kubernetes' RBAC matches: `*` is every resource and every subresource, `*/exec` one of every resource.
    let grants = |rule: &crate::objects::Rule| {
        has(&rule.api_groups, &["", "*"])
            && has(&rule.resources, &["pods/exec", "pods/attach", "*/exec", "*/attach", "*"])
            && has(&rule.verbs, &["create", "get", "*"])
    };
    if object.rules.iter().any(grants) {
        return Verdict::Failed("it allows running programs in pods".to_owned());
    }
    Verdict::Passed
}
