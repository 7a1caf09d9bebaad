//! Placement against nodes as `kubectl get node -o json` shows them.

use expect_test::{Expect, expect};
use serde_json::json;

use super::*;

fn node(name: &str, labels: &serde_json::Value, taints: &serde_json::Value) -> NodeFacts {
    let object = json!({"metadata": {"name": name, "labels": labels}, "spec": {"taints": taints}, "status": {}});
    NodeFacts::from_json(object.to_string().as_bytes()).expect("a sound node")
}

/// A control plane, two workers in two zones, a broken one and one for GPUs.
fn nodes() -> Vec<NodeFacts> {
    let mut cordoned = node("worker-b", &json!({"zone": "b", "cores": "16"}), &json!([]));
    cordoned.unschedulable = true;
    vec![
        node("worker-a", &json!({"zone": "a", "cores": "4"}), &json!(null)),
        cordoned,
        node(
            "control",
            &json!({"role": "control-plane"}),
            &json!([{"key": "node-role.kubernetes.io/control-plane", "effect": "NoSchedule"}]),
        ),
        node(
            "broken",
            &json!({"zone": "a", "cores": "many"}),
            &json!([
                {"key": "node.kubernetes.io/not-ready", "effect": "NoExecute"},
                {"key": "node.kubernetes.io/disk-pressure", "effect": "NoSchedule"},
                {"key": "spot", "effect": "PreferNoSchedule"},
            ]),
        ),
        node("gpu", &json!({"zone": "b"}), &json!([{"key": "gpu", "value": "a100", "effect": "NoExecute"}])),
    ]
}

#[expect(clippy::needless_pass_by_value, reason = "tests pass literals")]
fn check(placement: Placement, expected: Expect) {
    let targets = placement.place(&nodes());
    let mut text = format!("{}\n", targets.nodes.join(" "));
    for (name, exclusion) in targets.excluded {
        text.push_str(&format!("{name}: {exclusion}\n"));
    }
    expected.assert_eq(&text);
}

fn affinity(terms: Vec<NodeSelectorTerm>) -> Placement {
    Placement {
        node_affinity: Some(NodeAffinity { terms }),
        tolerations: vec![Toleration::everything()],
        ..Placement::default()
    }
}

fn expressions(requirements: &[(&str, Operator, &[&str])]) -> NodeSelectorTerm {
    let requirement = |(key, operator, values): &(&str, Operator, &[&str])| NodeRequirement {
        key: (*key).to_owned(),
        operator: *operator,
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    };
    NodeSelectorTerm { match_expressions: requirements.iter().map(requirement).collect(), match_fields: Vec::new() }
}

#[test]
fn without_tolerations_only_the_controllers_own_apply() {
    check(
        Placement::default(),
        expect![[r#"
            broken worker-a worker-b
            control: the taint `node-role.kubernetes.io/control-plane:NoSchedule` is not tolerated
            gpu: the taint `gpu=a100:NoExecute` is not tolerated
        "#]],
    );
}

#[test]
fn tolerating_everything_reaches_every_node() {
    check(
        Placement { tolerations: vec![Toleration::everything()], ..Placement::default() },
        expect![[r#"
            broken control gpu worker-a worker-b
        "#]],
    );
}

#[test]
fn a_node_selector_says_which_label_is_missing() {
    check(
        Placement {
            node_selector: [("zone".to_owned(), "a".to_owned())].into(),
            tolerations: vec![Toleration::everything()],
            ..Placement::default()
        },
        expect![[r#"
            broken worker-a
            control: nodeSelector wants the label `zone=a`, and the node has no `zone`
            gpu: nodeSelector wants the label `zone=a`, and the node has `zone=b`
            worker-b: nodeSelector wants the label `zone=a`, and the node has `zone=b`
        "#]],
    );
}

#[test]
fn requirements_of_a_term_are_anded() {
    check(
        affinity(vec![expressions(&[("zone", Operator::In, &["b"]), ("cores", Operator::Exists, &[])])]),
        expect![[r#"
            worker-b
            broken: node affinity wants `zone in (b)`
            control: node affinity wants `zone in (b)`
            gpu: node affinity wants `cores`
            worker-a: node affinity wants `zone in (b)`
        "#]],
    );
}

#[test]
fn terms_are_ored_and_numbers_are_compared() {
    check(
        affinity(vec![
            expressions(&[("cores", Operator::Gt, &["4"])]),
            expressions(&[("cores", Operator::Lt, &["4"])]),
        ]),
        expect![[r#"
            worker-b
            broken: node affinity wants `cores > 4` or `cores < 4`
            control: node affinity wants `cores > 4` or `cores < 4`
            gpu: node affinity wants `cores > 4` or `cores < 4`
            worker-a: node affinity wants `cores > 4` or `cores < 4`
        "#]],
    );
}

#[test]
fn a_missing_label_satisfies_the_negative_operators() {
    check(
        affinity(vec![expressions(&[("zone", Operator::NotIn, &["a"]), ("cores", Operator::DoesNotExist, &[])])]),
        expect![[r#"
            control gpu
            broken: node affinity wants `zone notin (a)`
            worker-a: node affinity wants `zone notin (a)`
            worker-b: node affinity wants `!cores`
        "#]],
    );
}

#[test]
fn fields_match_the_nodes_name() {
    let mut term = expressions(&[("metadata.name", Operator::In, &["gpu"])]);
    std::mem::swap(&mut term.match_fields, &mut term.match_expressions);
    check(
        affinity(vec![term]),
        expect![[r#"
            gpu
            broken: node affinity wants `metadata.name in (gpu)`
            control: node affinity wants `metadata.name in (gpu)`
            worker-a: node affinity wants `metadata.name in (gpu)`
            worker-b: node affinity wants `metadata.name in (gpu)`
        "#]],
    );
}

#[test]
fn an_empty_term_matches_no_node() {
    let targets = affinity(vec![NodeSelectorTerm::default()]).place(&nodes()[..1]);
    assert!(targets.nodes.is_empty());
    expect!["its node affinity has no term that could match any node"].assert_eq(&targets.excluded[0].1.to_string());
}

#[test]
fn a_toleration_matches_by_key_value_and_effect() {
    let taint = Taint { key: "gpu".to_owned(), value: "a100".to_owned(), effect: TaintEffect::NoExecute };
    let toleration = |key: &str, operator, value: &str, effect| Toleration {
        key: key.to_owned(),
        operator,
        value: value.to_owned(),
        effect,
    };
    use TolerationOperator::{Equal, Exists};
    assert!(toleration("gpu", Equal, "a100", Some(TaintEffect::NoExecute)).tolerates(&taint));
    assert!(toleration("gpu", Equal, "a100", None).tolerates(&taint));
    assert!(toleration("gpu", Exists, "", None).tolerates(&taint));
    assert!(toleration("", Exists, "", Some(TaintEffect::NoExecute)).tolerates(&taint));
    assert!(!toleration("", Exists, "", Some(TaintEffect::NoSchedule)).tolerates(&taint));
    assert!(!toleration("gpu", Equal, "h100", None).tolerates(&taint));
    assert!(!toleration("cpu", Exists, "", None).tolerates(&taint));
    let keyless = Taint { key: String::new(), value: String::new(), effect: TaintEffect::NoExecute };
    assert!(!toleration("", Equal, "", None).tolerates(&keyless));
}

#[test]
fn a_text_that_is_no_node_is_refused() {
    assert!(matches!(NodeFacts::from_json(b"{"), Err(NodeError::NotANode(_))));
    assert!(matches!(NodeFacts::from_json(br#"{"metadata":{}}"#), Err(NodeError::Nameless)));
}
