//! `secret-in-config-map`: `ConfigMap`s are read by many and encrypted by nobody.

use porthole_sdk::results::Severity;

use super::*;

/// The check.
pub(super) const CHECK: Check = Check {
    name: "secret-in-config-map",
    severity: Severity::High,
    remedy: "keep it in a Secret, and change it: whoever reads ConfigMaps has seen it",
    needs: &[CONFIG_MAP],
    looks_up: &[],
    rule: Rule::Object(&[CONFIG_MAP], judge),
};

fn judge(object: &Object, _world: &World) -> Verdict {
    let suspicious: Vec<_> = object
        .data
        .iter()
        .filter(|(key, value)| {
            let one_line = value.trim().lines().count() == 1;
            value.contains("PRIVATE KEY-----") || (one_line && is_secret_name(key) && !looks_like_a_reference(value))
        })
        .map(|(key, _)| format!("`{key}`"))
        .collect();
    if suspicious.is_empty() {
        return Verdict::Passed;
    }
    Verdict::Failed(format!("{} look like secrets", suspicious.join(", ")))
}
