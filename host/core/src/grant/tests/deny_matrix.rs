//! Rules against accesses, the hostile ones among them.

use crate::grant::*;

use super::{access, everything, rules};

/// Rule, access, and what may be seen: `all`, field paths, or `denied`.
const MATRIX: &[(&str, &[(&str, &str)])] = &[
    ("{ apiGroups: [], resources: [pods], verbs: [list], namespaces: ['*'] }", &[("list - pods * -", "denied")]),
    ("{ apiGroups: [''], resources: [], verbs: [list], namespaces: ['*'] }", &[("list - pods * -", "denied")]),
    ("{ apiGroups: [''], resources: [pods], verbs: [], namespaces: ['*'] }", &[("list - pods * -", "denied")]),
    (
        "{ apiGroups: [''], resources: [pods, nodes], verbs: [list, get] }",
        &[
            ("list - nodes - -", "all"),
            ("get - nodes - a", "all"),
            ("list - pods * -", "denied"),
            ("list - pods shop -", "denied"),
            ("watch - nodes - -", "denied"),
            ("list apps nodes - -", "denied"),
        ],
    ),
    (
        "{ apiGroups: [''], resources: [pods], verbs: [list, get], namespaces: [shop] }",
        &[
            ("list - pods shop -", "all"),
            ("get - pods shop web", "all"),
            ("list - pods * -", "denied"),
            ("list - pods - -", "denied"),
            ("list - pods shop-2 -", "denied"),
            ("list - pods sho -", "denied"),
            ("get - pods:log shop web", "denied"),
            ("get - pods:exec shop web", "denied"),
            ("get - pods shop -", "denied"),
            ("get - pods shop ", "denied"),
            ("get - pods shop ../../kube-system/secrets/x", "denied"),
            ("get - pods shop ..", "denied"),
            ("get - pods shop web?watch=1", "denied"),
            ("get - pods shop web%2flog", "denied"),
            ("get - pods shop wеb", "denied"), // the second letter is Cyrillic
            ("get - pods/exec shop web", "denied"),
            ("get - pods/../secrets shop web", "denied"),
            ("get - Pods shop web", "denied"),
            ("get - pod shop web", "denied"),
            ("get - Pod shop web", "denied"),
            ("get - ｐods shop web", "denied"),
            ("* - pods shop web", "denied"),
            ("list - pods Shop -", "denied"),
            ("list - pods shop/x -", "denied"),
            ("list - pods ../shop -", "denied"),
        ],
    ),
    (
        "{ apiGroups: ['*'], resources: ['*'], verbs: ['*'], namespaces: ['*'] }",
        &[
            ("list apps deployments * -", "all"),
            ("deletecollection - pods shop -", "all"),
            ("get - nodes - a", "all"),
            ("get example.com secrets shop x", "all"),
            ("get rbac.authorization.k8s.io clusterroles - system:node", "all"),
            ("list - secrets * -", "denied"),
            ("get - secrets shop x", "denied"),
            ("get - pods:log shop web", "denied"),
            ("get - nodes:proxy - a", "denied"),
            ("create - serviceaccounts:token shop default", "denied"),
            ("get - * shop web", "denied"),
            ("get * pods shop web", "denied"),
            ("get - pods:* shop web", "denied"),
            ("get - pods:log/x shop web", "denied"),
            ("get - pods * web", "denied"),
            ("get - Secrets shop x", "denied"),
            ("get - secretѕ shop x", "denied"), // the last letter is Cyrillic
            ("get .. pods shop x", "denied"),
            ("get apis/v1 pods shop x", "denied"),
        ],
    ),
    (
        "{ apiGroups: ['*'], resources: [secrets], verbs: [get], namespaces: ['*'] }",
        &[("get - secrets shop x", "all"), ("list - secrets shop -", "denied")],
    ),
    (
        "{ apiGroups: [''], resources: [pods/log], verbs: [get], namespaces: ['*'] }",
        &[
            ("get - pods:log shop web", "all"),
            ("get - pods shop web", "denied"),
            ("get - pods:logs shop web", "denied"),
        ],
    ),
    (
        "{ apiGroups: [''], resources: ['pods/*', '*/log'], verbs: [get], namespaces: ['*'] }",
        &[("get - pods:log shop web", "denied"), ("get - pods shop web", "denied")],
    ),
    (
        "{ apiGroups: [''], resources: [configmaps], verbs: [get, list, watch], namespaces: ['*'], names: [a, b] }",
        &[
            ("get - configmaps shop a", "all"),
            ("list - configmaps shop b", "all"),
            ("watch - configmaps * a", "all"),
            ("list - configmaps shop -", "denied"),
            ("list - configmaps * -", "denied"),
            ("get - configmaps shop c", "denied"),
            ("get - configmaps shop A", "denied"),
        ],
    ),
    (
        "{ apiGroups: [''], resources: [pods, pods/log], verbs: ['*'], namespaces: ['*'], fields: [spec.nodeName, status] }",
        &[
            ("list - pods * -", "spec.nodeName, status"),
            ("get - pods:log shop web", "denied"),
            ("update - pods shop web", "denied"),
            ("delete - pods shop web", "denied"),
        ],
    ),
    (
        "{ apiGroups: [''], resources: [pods], verbs: [get], namespaces: ['*'], fields: ['spec[*]'] }",
        &[("get - pods shop web", "")],
    ),
];

fn shown(decision: &Decision) -> String {
    match decision {
        Decision::Allowed { fields: AllowedFields::All } => "all".to_owned(),
        Decision::Allowed { fields: AllowedFields::Only(fields) } => fields.to_string(),
        Decision::Denied(_) => "denied".to_owned(),
    }
}

#[test]
fn a_rule_covers_what_it_says_and_nothing_else() {
    for (rule, cases) in MATRIX {
        let side = rules(&format!("[{rule}]"));
        for (text, expected) in *cases {
            let access = access(text);
            let as_grant = Window { requests: everything(), grants: side.clone() };
            let as_request = Window { requests: side.clone(), grants: everything() };
            // `everything` does not name every subresource, so the rule is also held against itself.
            let both = Window { requests: side.clone(), grants: side.clone() };
            assert_eq!(shown(&both.decide(&access)), *expected, "{rule} on both sides: {text}");
            if access.subresource.is_none() {
                assert_eq!(shown(&as_grant.decide(&access)), *expected, "{rule} granted: {text}");
                assert_eq!(shown(&as_request.decide(&access)), *expected, "{rule} requested: {text}");
            }
        }
    }
}

#[test]
fn empty_grant_list_allows_nothing() {
    let window = Window { requests: everything(), grants: Requests::default() };
    for (_, cases) in MATRIX {
        for (text, _) in *cases {
            assert_eq!(shown(&window.decide(&access(text))), "denied", "{text}");
        }
    }
}

#[test]
fn fields_are_the_union_of_rules_and_the_intersection_of_sides() {
    let rule = |fields: &str| {
        format!("{{ apiGroups: [''], resources: [pods], verbs: [list], namespaces: ['*'], fields: [{fields}] }}")
    };
    let window = Window {
        requests: rules(&format!("[{}, {}]", rule("spec"), rule("metadata.labels"))),
        grants: rules(&format!("[{}]", rule("spec.nodeName, metadata, status"))),
    };
    assert_eq!(shown(&window.decide(&access("list - pods * -"))), "metadata.labels, spec.nodeName");
}

#[test]
fn a_refusal_names_the_line_that_would_lift_it() {
    let cases = [
        ("list - secrets * -", r#"- { apiGroups: [""], resources: [secrets], verbs: [list], namespaces: ["*"] }"#),
        (
            "get apps deployments shop web",
            "- { apiGroups: [apps], resources: [deployments], verbs: [get], namespaces: [shop], names: [web] }",
        ),
        ("get - nodes - on", r#"- { apiGroups: [""], resources: [nodes], verbs: [get], names: ["on"] }"#),
        (
            "get - pods:log 12 system:a",
            r#"- { apiGroups: [""], resources: [pods/log], verbs: [get], namespaces: ["12"], names: ["system:a"] }"#,
        ),
    ];
    for (text, line) in cases {
        let access = access(text);
        let mut window = Window { requests: everything(), grants: Requests::default() };
        let Decision::Denied(denial) = window.decide(&access) else { panic!("{text} was allowed") };
        assert_eq!(denial.missing, Missing::NotGranted);
        assert_eq!(denial.remedy("checks"), format!("add to `kubernetes` in the grant of `checks`: {line}"));
        let file = format!(
            "apiVersion: porthole.dev/v1alpha1\nkind: Grants\ngrants:\n- plugin: checks\n  kubernetes:\n  {line}\n"
        );
        window.grants = GrantsFile::parse(&file).expect("the line can be pasted").grants[0].grants();
        assert_eq!(shown(&window.decide(&access)), "all", "{line}");
        window.requests = Requests::default();
        let Decision::Denied(denial) = window.decide(&access) else { panic!("{text} was allowed") };
        assert_eq!(denial.missing, Missing::NotRequested);
        assert!(denial.remedy("checks").starts_with("the manifest of `checks` does not ask for it"));
    }
}
