//! Cutting objects: against a slow evaluator, and by example.

#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
//! Cutting objects, against a slow evaluator that asks for each path anew.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const POD: &str = r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"b","uid":"c","managedFields":[{"x":1}],"annotations":{"a.b/c":"1","d":"2"}},"spec":{ "nodeName" : "n", "n": 1.50,"containers":[{"image":"i","name":"x"},{"name":"y"},"odd"]},"status":{"phase":"Running"}}"#;

fn cut(keep: &[&str], omit: &[&str], allowed: &[&str]) -> String {
    let allowed =
        if allowed.is_empty() { AllowedFields::All } else { AllowedFields::Only(FieldSet::parse(allowed).unwrap()) };
    let mut output = Vec::new();
    Projection::parse(keep, omit, &allowed).unwrap().apply(POD.as_bytes(), &mut output).unwrap();
    String::from_utf8(output).unwrap()
}

const HEAD: &str = r#"{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a","namespace":"b","uid":"c"}"#;

#[test]
fn what_is_kept_goes_through_lists_and_in_order() {
    assert_eq!(
        cut(&["status.phase", "spec.containers.image"], &[], &[]),
        format!(r#"{HEAD},"spec":{{"containers":[{{"image":"i"}},{{}}]}},"status":{{"phase":"Running"}}}}"#)
    );
}

#[test]
fn what_is_kept_whole_is_copied_as_written() {
    let spec = r#"{ "nodeName" : "n", "n": 1.50,"containers":[{"image":"i","name":"x"},{"name":"y"},"odd"]}"#;
    assert_eq!(cut(&["spec"], &[], &[]), format!(r#"{HEAD},"spec":{spec}}}"#));
    assert_eq!(cut(&[], &[], &[]), POD);
}

#[test]
fn what_is_omitted_wins_over_what_is_kept() {
    let expected =
        format!(r#"{HEAD},"spec":{{"nodeName":"n","n":1.50,"containers":[{{"name":"x"}},{{"name":"y"}},"odd"]}}}}"#);
    assert_eq!(cut(&["spec"], &["spec.containers.image"], &[]), expected);
    assert_eq!(cut(&["spec"], &["metadata", "spec", "kind"], &[]), format!("{HEAD}}}"));
}

#[test]
fn what_is_not_allowed_is_never_seen() {
    assert_eq!(cut(&["spec", "status"], &[], &["status"]), format!(r#"{HEAD},"status":{{"phase":"Running"}}}}"#));
    assert_eq!(
        cut(&[], &[], &["metadata.annotations['a.b/c']", "spec.nodeName.x"]),
        format!(r#"{},"annotations":{{"a.b/c":"1"}}}},"spec":{{}}}}"#, HEAD.trim_end_matches('}'))
    );
    let nothing = AllowedFields::Only(FieldSet::default());
    let mut output = Vec::new();
    Projection::new(&FieldSet::default(), &FieldSet::default(), &nothing).apply(POD.as_bytes(), &mut output).unwrap();
    assert_eq!(output, format!("{HEAD}}}").as_bytes());
}

#[test]
fn an_escaped_key_does_not_slip_through() {
    let allowed = AllowedFields::All;
    let mut output = Vec::new();
    let projection = Projection::parse(&[], &["data"], &allowed).unwrap();
    projection.apply(br#"{"d\u0061ta":{"token":1},"x":1}"#, &mut output).unwrap();
    assert_eq!(output, br#"{"x":1}"#);
}

#[test]
fn what_is_no_object_leaves_the_output_alone() {
    let projection = Projection::parse(&["spec"], &[], &AllowedFields::All).unwrap();
    for text in ["", "[]", "1", "{", r#"{"kind":1"#, "{} x", r#"{"kind":"a","spec":}"#, "\u{feff}{}"] {
        let mut output = b"before".to_vec();
        assert!(projection.apply(text.as_bytes(), &mut output).is_err(), "{text}");
        assert_eq!(output, b"before");
    }
    let deep = format!("{}{}{}", r#"{"spec":"#, r#"{"a":"#.repeat(100_000), "1");
    assert!(projection.apply(deep.as_bytes(), &mut Vec::new()).is_err());
    assert!(matches!(
        Projection::parse(&vec!["a"; MAX_PATHS + 1], &[], &AllowedFields::All),
        Err(ProjectionError::TooManyPaths(_))
    ));
}

/// Decides about each value by its path alone.
fn slowly(
    value: &Value,
    path: &mut Vec<String>,
    keep: &FieldSet,
    omit: &FieldSet,
    allowed: &AllowedFields,
) -> Option<Value> {
    let is_at_or_below = |set: &FieldSet| set.paths().iter().any(|member| path.starts_with(member.parts()));
    let is_above = |set: &FieldSet| set.paths().iter().any(|member| member.parts().starts_with(path));
    let always = FieldSet::parse(&ALWAYS_KEPT).unwrap();
    let all = keep.is_empty();
    let (inside, above) = match allowed {
        AllowedFields::All => (all || is_at_or_below(keep), all || is_above(keep)),
        AllowedFields::Only(allowed) => {
            let both = if all { allowed.clone() } else { keep.intersection(allowed) };
            (is_at_or_below(&both), is_above(&both))
        }
    };
    let shown = is_at_or_below(&always) || (inside && !is_at_or_below(omit));
    let entered = shown || is_above(&always) || (above && !is_at_or_below(omit));
    match value {
        Value::Object(map) if entered => {
            let mut kept = serde_json::Map::new();
            for (key, value) in map {
                path.push(key.clone());
                if let Some(value) = slowly(value, path, keep, omit, allowed) {
                    kept.insert(key.clone(), value);
                }
                path.pop();
            }
            Some(Value::Object(kept))
        }
        Value::Array(list) if entered => {
            Some(list.iter().filter_map(|value| slowly(value, path, keep, omit, allowed)).collect())
        }
        other => shown.then(|| other.clone()),
    }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![Just(json!(1)), Just(json!("x\"é")), Just(json!(null)), Just(json!(2.5)), Just(json!([]))];
    leaf.prop_recursive(4, 40, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
            proptest::collection::btree_map("[abn]|name|metadata", inner, 0..4).prop_map(|map| json!(map)),
        ]
    })
}

fn fields() -> impl Strategy<Value = FieldSet> {
    proptest::collection::vec(proptest::collection::vec("[ab]|name|metadata", 1..4), 0..4)
        .prop_map(|paths| FieldSet::parse(&paths.iter().map(|parts| parts.join(".")).collect::<Vec<_>>()).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_pass_gives_what_the_slow_way_gives(
        object in proptest::collection::btree_map("[ab]|kind|metadata", value(), 0..4),
        keep in fields(),
        omit in fields(),
        allowed in proptest::option::of(fields()),
    ) {
        let object = json!(object);
        let allowed = allowed.map_or(AllowedFields::All, AllowedFields::Only);
        let mut output = Vec::new();
        Projection::new(&keep, &omit, &allowed).apply(object.to_string().as_bytes(), &mut output).unwrap();
        let expected = slowly(&object, &mut Vec::new(), &keep, &omit, &allowed).unwrap();
        prop_assert_eq!(serde_json::from_slice::<Value>(&output).unwrap(), expected);
    }
}
