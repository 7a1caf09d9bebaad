//! What the reader makes of hostile and of merely odd texts.

use expect_test::{Expect, expect};

use super::*;

#[expect(clippy::needless_pass_by_value, reason = "tests pass literals")]
fn check(text: &str, expected: Expect) {
    let shown = match parse(text, &Budget::default()) {
        Ok(documents) => documents.iter().map(|document| format!("{document}\n")).collect(),
        Err(error) => error.to_string(),
    };
    expected.assert_eq(&shown);
}

#[test]
fn broken_yaml_says_line_and_column() {
    check(
        "a: 1\nb: [1, 2\nc: 3\n",
        expect!["line 3, column 2: did not find expected ',' or ']', while parsing a flow sequence at line 2 column 4"],
    );
    check(
        "a:\n\t- 1\n",
        expect!["line 2, column 1: found character that cannot start any token, while scanning for the next token"],
    );
    check(
        "a: 'x\n",
        expect!["line 2, column 1: found unexpected end of stream, while scanning a quoted scalar at line 1 column 4"],
    );
}

#[test]
fn broken_json_says_line_and_column() {
    check("{\"a\": 1,\n \"b\": ]\n", expect!["line 2, column 7: expected value"]);
    check("{\"a\": 1} {\"b\": 2}", expect!["line 1, column 10: trailing characters"]);
}

#[test]
fn a_flow_mapping_that_is_no_json_is_yaml() {
    check(
        "{a: 1, b: [x, y]}",
        expect![[r#"
        {"a":1,"b":["x","y"]}
    "#]],
    );
}

#[test]
fn empty_documents_are_left_out() {
    check("", expect![""]);
    check("# nothing\n---\n", expect![""]);
    check(
        "---\na: 1\n---\n---\nb: 2\n",
        expect![[r#"
        {"a":1}
        {"b":2}
    "#]],
    );
}

#[test]
fn keys_that_are_no_texts_become_texts_and_merges_are_made() {
    check(
        "1: a\ntrue: b\n",
        expect![[r#"
        {"1":"a","true":"b"}
    "#]],
    );
    check(
        "base: &base {x: 1, y: 2}\nover: {<<: *base, y: 3}\n",
        expect![[r#"
        {"base":{"x":1,"y":2},"over":{"x":1,"y":3}}
    "#]],
    );
}

#[test]
fn duplicate_keys_and_tags_are_refused() {
    check("a: 1\nb: 2\na: 3\n", expect!["line 1, column 1: the map that begins here has the key `a` twice"]);
    check("a: !secret x\n", expect!["line 1, column 4: a: tags such as `!name` are not supported"]);
    check("a: .nan\n", expect!["line 1, column 4: a: `.nan` and `.inf` have no counterpart in JSON"]);
}

#[test]
fn nested_aliases_are_stopped() {
    let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..12 {
        let aliases = vec![format!("*a{}", level - 1); 10].join(", ");
        text.push_str(&format!("a{level}: &a{level} [{aliases}]\n"));
    }
    check(&text, expect!["line 1, column 22: a4[7][8][8][8][4]: the text expands to more than 100000 values"]);
}

#[test]
fn many_aliases_of_one_large_anchor_are_stopped() {
    let text = format!("a: &a [{}]\nb: [{}]\n", vec!["1"; 2_000].join(","), vec!["*a"; 2_000].join(","));
    check(&text, expect!["line 1, column 3900: b[48][1946]: the text expands to more than 100000 values"]);
    let text = format!("a: &a {}\nb: [{}]\n", "x".repeat(100_000), vec!["*a"; 2_000].join(","));
    check(&text, expect!["line 1, column 4: b[40]: the text expands to more than 4194304 bytes"]);
}

#[test]
fn an_alias_to_itself_is_stopped() {
    check("a: &a [*a]\n", expect!["line 1, column 4: lists and maps nest deeper than 64 levels"]);
}

#[test]
fn deep_nesting_is_stopped() {
    check(&"[".repeat(65), expect!["line 1, column 65: lists and maps nest deeper than 64 levels"]);
    check(
        &format!("{}{}", "[".repeat(65), "]".repeat(65)),
        expect!["line 1, column 65: lists and maps nest deeper than 64 levels"],
    );
    check(
        &format!("{}1{}", "{\"a\":".repeat(65), "}".repeat(65)),
        expect!["line 1, column 321: lists and maps nest deeper than 64 levels"],
    );
    check(
        &format!("{}{}", "[".repeat(64), "]".repeat(64)),
        expect![[r#"
        [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
    "#]],
    );
}

#[test]
fn brackets_that_quotes_would_hide_are_counted() {
    check(
        &"[ \"]\", ".repeat(BRACKETS + 1),
        expect!["line 1, column 70001: more than 1000 open brackets or 10000 brackets in all, in quotes or not"],
    );
}

#[test]
fn the_longest_text_of_brackets_is_refused_in_time() {
    for text in ["[", "{", "- ", "? ", "a: [", "&a "] {
        let long = text.repeat(MANIFEST_BYTES / text.len());
        assert!(parse(&long, &Budget::default()).is_err(), "{text}");
        drop(check_syntax(&long));
    }
}

#[test]
fn a_text_beyond_the_bound_is_not_parsed() {
    check(&" ".repeat(MANIFEST_BYTES + 1), expect!["the manifest has 262145 bytes; at most 262144 are read"]);
}

#[test]
fn the_bound_is_the_one_that_the_limits_state() {
    assert_eq!(u64::try_from(MANIFEST_BYTES), Ok(crate::limits::MANIFEST));
}
