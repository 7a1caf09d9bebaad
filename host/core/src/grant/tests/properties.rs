//! What must hold for all rules and accesses.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use crate::grant::*;

fn texts(from: &'static [&'static str]) -> impl Strategy<Value = Vec<String>> {
    subsequence(from, 0..=from.len()).prop_map(|texts| texts.into_iter().map(str::to_owned).collect())
}

const VERBS: &[Verb] = &[Verb::Get, Verb::List, Verb::Create, Verb::All];

fn rule() -> impl Strategy<Value = KubernetesRule> {
    (
        texts(&["", "apps", "*"]),
        texts(&["pods", "pods/log", "secrets", "*"]),
        subsequence(VERBS, 0..=VERBS.len()),
        texts(&["a", "b", "*"]),
        texts(&["x", "*"]),
        texts(&["spec", "spec.a", "*"]),
    )
        .prop_map(|(api_groups, resources, verbs, namespaces, names, fields)| KubernetesRule {
            api_groups,
            resources,
            verbs,
            namespaces,
            names,
            fields,
            why: String::new(),
        })
}

fn access() -> impl Strategy<Value = Access> {
    let scopes = vec![Scope::Cluster, Scope::AllNamespaces, Scope::Namespace("a".into()), Scope::Namespace("*".into())];
    (
        select(VERBS),
        select(vec!["", "apps", "*"]),
        select(vec!["pods", "secrets", "pods/log", "*"]),
        select(vec![None, Some("log"), Some("*")]),
        select(scopes),
        select(vec![None, Some("x"), Some("y"), Some("*")]),
    )
        .prop_map(|(verb, group, resource, subresource, scope, name)| Access {
            verb,
            group: group.to_owned(),
            resource: resource.to_owned(),
            subresource: subresource.map(str::to_owned),
            scope,
            name: name.map(str::to_owned),
        })
}

fn side() -> impl Strategy<Value = Requests> {
    proptest::collection::vec(rule(), 0..4).prop_map(|kubernetes| Requests { kubernetes, ..Requests::default() })
}

fn allowed(requests: &Requests, grants: &Requests, access: &Access) -> Option<AllowedFields> {
    match (Window { requests: requests.clone(), grants: grants.clone() }).decide(access) {
        Decision::Allowed { fields } => Some(fields),
        Decision::Denied(_) => None,
    }
}

fn includes(outer: &AllowedFields, inner: &AllowedFields) -> bool {
    match (outer, inner) {
        (AllowedFields::All, _) => true,
        (AllowedFields::Only(_), AllowedFields::All) => false,
        (AllowedFields::Only(outer), AllowedFields::Only(inner)) => inner.paths().iter().all(|path| outer.covers(path)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn adding_a_rule_never_takes_anything_away(requests in side(), mut grants in side(), more in rule(), access in access()) {
        let before = allowed(&requests, &grants, &access);
        grants.kubernetes.push(more);
        let after = allowed(&requests, &grants, &access);
        if let Some(before) = before {
            prop_assert!(after.is_some_and(|after| includes(&after, &before)));
        }
    }

    #[test]
    fn a_window_shows_no_more_than_either_side(requests in side(), grants in side(), access in access()) {
        if let Some(both) = allowed(&requests, &grants, &access) {
            for alone in [&requests, &grants] {
                prop_assert!(allowed(alone, alone, &access).is_some_and(|alone| includes(&alone, &both)));
            }
        }
    }
}
