//! `wildcard-rbac`: a rule with `*` grows with every kind that is added.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "wildcard-rbac",
    severity: Severity::High,
    remedy: "name the API groups, resources and verbs that are needed",
    needs: &[ROLE, CLUSTER_ROLE],
    looks_up: &[],
    rule: Rule::Object(&[ROLE, CLUSTER_ROLE], judge),
};

fn judge(object: &Object, _world: &World) -> Verdict {
    if is_bootstrapped(object) {
        return Verdict::Skipped("Kubernetes' own role");
    }
    let any = |names: &[String]| names.iter().any(|name| name == "*");
    let wide = object.rules.iter().find(|rule| any(&rule.verbs) || (any(&rule.resources) && !rule.verbs.is_empty()));
    match wide {
        None => Verdict::Passed,
        Some(rule) => Verdict::Failed(format!(
            "a rule allows {} on {}",
            rule.verbs.join(", "),
            if rule.resources.is_empty() { rule.non_resource_u_r_ls.join(", ") } else { rule.resources.join(", ") }
        )),
    }
}
