//! The grants file.

use crate::grant::*;
use crate::limits::{Bytes, OperatorLimits};

use super::everything;

const HEAD: &str = "apiVersion: porthole.dev/v1alpha1\nkind: Grants\ngrants:\n- plugin: checks\n";

fn error(rest: &str) -> String {
    GrantsFile::parse(&format!("{HEAD}{rest}")).expect_err("wrong on purpose").to_string()
}

#[test]
fn a_grant_has_rules_and_bounds() {
    let text = format!(
        "{HEAD}  digest: sha256:00\n  environment: [TZ, {{ name: LANG, why: words }}]\n  collect: {{}}\n  limits: {{ memory: 1Gi }}\n"
    );
    let file = GrantsFile::parse(&text).expect("a grants file");
    let grant = file.grant_for("checks", "sha256:00").expect("the grant");
    assert_eq!(grant.environment.iter().map(|rule| rule.name.as_str()).collect::<Vec<_>>(), ["TZ", "LANG"]);
    assert_eq!(grant.limits, Some(OperatorLimits { memory: Some(Bytes(1 << 30)), ..OperatorLimits::default() }));
    assert!(grant.collect.is_some());
    assert_eq!(file.grant_for("checks", "sha256:01"), None, "another version waits for its approval");
}

#[test]
fn a_grant_of_what_is_requested_is_read_back() {
    let file = GrantsFile::new(vec![PluginGrant::from_requests("checks", Some("sha256:00"), &everything())]);
    let text = serde_yaml::to_string(&file).expect("YAML");
    assert_eq!(GrantsFile::parse(&text).expect("a grants file"), file);
    assert_eq!(file.grants[0].grants(), everything());
}

#[test]
fn an_empty_list_that_narrows_is_an_error() {
    for key in ["names", "fields"] {
        let said = error(&format!(
            "  kubernetes:\n  - {{ apiGroups: [apps], resources: [deployments], verbs: [get], {key}: [] }}\n"
        ));
        assert!(said.contains("leave it out, or write `[\"*\"]`") && said.contains("line 6 column"), "{said}");
    }
}

#[test]
fn a_rule_that_can_never_match_is_an_error() {
    for (wrong, hint) in [
        ("apiGroups: [Apps], resources: [pods], verbs: [get]", "`\"\"` for the core group"),
        ("apiGroups: [''], resources: [Pod], verbs: [get]", "lower-case plural names"),
        ("apiGroups: [''], resources: ['pods/*'], verbs: [get]", "whole subresource as in `pods/log`"),
        ("apiGroups: [''], resources: [pods], verbs: [read]", "`get`, `list`, `watch`"),
        ("apiGroups: [''], resources: [pods], verbs: [get], namespaces: [a/b]", "`kube-system`"),
        ("apiGroups: [''], resources: [pods], verbs: [get], fields: ['spec.*']", "`spec.containers.image`"),
        ("apiGroups: [], resources: [pods], verbs: [get]", "matches nothing"),
        ("apiGroup: [''], resources: [pods], verbs: [get]", "expected one of `apiGroups`, `resources`"),
        ("resources: [pods], verbs: [get]", "missing field `apiGroups`"),
    ] {
        let said = error(&format!("  kubernetes:\n  - {{ {wrong} }}\n"));
        assert!(said.contains(hint) && said.contains("line 6 column"), "{wrong}: {said}");
    }
}

#[test]
fn a_file_of_another_kind_is_an_error() {
    let said = GrantsFile::parse("apiVersion: v1\nkind: ConfigMap\n").expect_err("not grants").to_string();
    assert!(said.contains("`porthole.dev/v1alpha1`") && said.contains("line 1"), "{said}");
    assert!(error("- plugin: checks\n").contains("two grants for plugin `checks`"));
}
