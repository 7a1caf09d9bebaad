//! Field paths: what is read, what is refused, and what covers what.

#![expect(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
//! Field paths: reading, writing, nesting.

use proptest::prelude::*;

use super::*;

fn set(texts: &[&str]) -> FieldSet {
    FieldSet::parse(texts).unwrap()
}

#[test]
fn parts_are_split_at_dots_and_brackets() {
    for (text, parts) in [
        ("spec", vec!["spec"]),
        ("spec.containers.image", vec!["spec", "containers", "image"]),
        ("metadata.annotations['a.b/c']", vec!["metadata", "annotations", "a.b/c"]),
        ("data['tls.key']['x'].y", vec!["data", "tls.key", "x", "y"]),
        (r"data['it\'s \\']", vec!["data", r"it's \"]),
        ("['odd key']", vec!["odd key"]),
    ] {
        assert_eq!(text.parse::<FieldPath>().unwrap().parts(), parts, "{text}");
    }
}

#[test]
fn what_is_no_path_is_refused_with_what_would_work() {
    for text in ["", ".spec", "spec.", "a..b"] {
        assert!(matches!(text.parse::<FieldPath>(), Err(FieldPathError::EmptyPart(_))), "{text}");
    }
    for text in ["*", "spec.*", "spec.containers[*].image", "spec.containers[0]", "spec.containers[]"] {
        assert!(matches!(text.parse::<FieldPath>(), Err(FieldPathError::Wildcard(_))), "{text}");
    }
    for text in ["a['b", "a['b'", "a['b'c", "a['b']c", "a[\"b\"]", "a.['b']", r"a['\n']"] {
        assert!(matches!(text.parse::<FieldPath>(), Err(FieldPathError::Bracket(_))), "{text}");
    }
    for text in ["a b", "ａ", "a'b"] {
        assert!(matches!(text.parse::<FieldPath>(), Err(FieldPathError::Character { .. })), "{text}");
    }
    for text in ["a".repeat(MAX_PATH_BYTES + 1), ["a"; MAX_PARTS + 1].join(".")] {
        assert_eq!(text.parse::<FieldPath>(), Err(FieldPathError::TooLong));
    }
}

#[test]
fn a_field_covers_itself_and_what_is_below_it() {
    let covers = |outer: &str, inner: &str| outer.parse::<FieldPath>().unwrap().covers(&inner.parse().unwrap());
    assert!(covers("spec", "spec") && covers("spec", "spec.containers"));
    assert!(!covers("spec.containers", "spec") && !covers("spec.con", "spec.containers"));
}

#[test]
fn two_sets_have_in_common_what_lies_in_both() {
    assert_eq!(
        set(&["spec", "status.phase"]).intersection(&set(&["spec.a", "spec.b", "metadata"])),
        set(&["spec.a", "spec.b"])
    );
    assert!(set(&["spec.a"]).intersection(&set(&["spec.b"])).is_empty());
    assert_eq!(set(&["a.b", "a", "a-b", "a.b.c"]).to_string(), "a, a-b");
}

proptest! {
    #[test]
    fn a_path_is_written_as_it_is_read(parts in proptest::collection::vec(r"[a-z.'\\ é*/\[\]]{0,6}", 1..6)) {
        let path = FieldPath { parts };
        prop_assert_eq!(path.to_string().parse::<FieldPath>().unwrap(), path);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in ".{0,40}|[a.'\\[\\]*\\\\]{0,12}") {
        if let Ok(path) = text.parse::<FieldPath>() {
            prop_assert_eq!(path.to_string().parse::<FieldPath>().unwrap(), path);
        }
    }
}
