//! From a file's text to single objects: JSON or YAML, several documents, arrays, lists, and logs between them.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// One object, and what the list around it said about its kind.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Item {
    /// The object, or whatever else was there.
    pub(super) value: Value,
    /// `apiVersion` and kind that the list gives those of its items which do not say it themselves.
    pub(super) inherited: Option<(String, String)>,
}

/// What a text consists of.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Piece<'t> {
    /// One object.
    Item(Item),
    /// A container's log between kubectl's marker lines.
    Log { namespace: &'t str, pod: &'t str, container: &'t str, text: &'t str },
}

/// How a text is to be understood when it could be both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// JSON, if it begins like JSON.
    Either,
    /// YAML; what begins like JSON may be a flow mapping.
    Yaml,
}

/// How deep arrays and lists may be in one another. Without it a file of opening brackets would overflow
/// the host's stack, since texts of items are cut without the parser's own bound.
const LIST_DEPTH: u32 = 8;

/// Brackets of YAML that may be open at once. The YAML parser's time grows with the square of the nesting: a
/// file of nothing but `[` would keep it busy for hours. Brackets in texts count too, which are balanced.
const OPEN_BRACKETS: usize = 10_000;

const START: &str = "==== START logs for container ";
const END: &str = "==== END logs for container ";

/// Gives every piece of `text` to `sink`, in order.
///
/// # Errors
///
/// Says what is wrong, with line and column, at the first document that cannot be parsed; the pieces
/// before it have been given. Line numbers count from the last log.
pub(super) fn read<'t>(
    mut text: &'t str,
    form: Form,
    sink: &mut dyn FnMut(Piece<'t>) -> Result<(), String>,
) -> Result<(), String> {
    while let Some((before, log)) = split_at_marker(text) {
        read_documents(before, form, &mut |item| sink(Piece::Item(item)))?;
        text = read_log(log, sink)?;
    }
    read_documents(text, form, &mut |item| sink(Piece::Item(item)))
}

/// Splits before the first line that begins a log.
fn split_at_marker(text: &str) -> Option<(&str, &str)> {
    if text.starts_with(START) {
        return Some(("", text));
    }
    let position = text.match_indices(START).map(|(position, _)| position).find(|position| {
        position.checked_sub(1).and_then(|before| text.as_bytes().get(before)).is_some_and(|byte| *byte == b'\n')
    })?;
    text.split_at_checked(position)
}

/// Reads one log and returns what follows it. A log without its end line reaches to the end.
fn read_log<'t>(text: &'t str, sink: &mut dyn FnMut(Piece<'t>) -> Result<(), String>) -> Result<&'t str, String> {
    let (marker, rest) = text.split_once('\n').unwrap_or((text, ""));
    let place = marker.strip_prefix(START).unwrap_or_default().trim_end().trim_end_matches(" ====");
    let end = format!("{END}{place} ====");
    let (log, after) = rest.split_once(&end).unwrap_or((rest, ""));
    let Some((container, pod)) = place.split_once(" of pod ") else {
        return Err(format!("cannot read the marker line `{}`", marker.escape_debug()));
    };
    let Some((namespace, pod)) = pod.split_once('/') else {
        return Err(format!("cannot read the marker line `{}`", marker.escape_debug()));
    };
    sink(Piece::Log { namespace, pod, container, text: log })?;
    Ok(after.split_once('\n').map_or("", |(_, after)| after))
}

fn read_documents(text: &str, form: Form, sink: &mut dyn FnMut(Item) -> Result<(), String>) -> Result<(), String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if !text.trim_start().starts_with(['{', '[']) {
        return read_yaml(text, sink);
    }
    match form {
        Form::Either => read_json(text, sink),
        // Checked first, because a failure in the middle must not give objects twice.
        Form::Yaml if is_json(text) => read_json(text, sink),
        Form::Yaml => read_yaml(text, sink),
    }
}

fn is_json(text: &str) -> bool {
    serde_json::Deserializer::from_str(text).into_iter::<serde::de::IgnoredAny>().all(|document| document.is_ok())
}

fn read_json(text: &str, sink: &mut dyn FnMut(Item) -> Result<(), String>) -> Result<(), String> {
    for document in serde_json::Deserializer::from_str(text).into_iter::<&RawValue>() {
        let document = document.map_err(|error| format!("is not valid JSON: {error}"))?;
        flatten_text(document.get(), None, LIST_DEPTH, sink)?;
    }
    Ok(())
}

/// The parts of a list; its items stay text, so that a list of many objects is not held as values.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Envelope<'t> {
    #[serde(default)]
    api_version: Option<Value>,
    #[serde(default)]
    kind: Option<Value>,
    #[serde(default, borrow, deserialize_with = "present")]
    items: Option<&'t RawValue>,
}

/// Keeps `null`, which is how servers write an empty list, apart from no items at all.
fn present<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<&'de RawValue>, D::Error> {
    <&RawValue>::deserialize(deserializer).map(Some)
}

fn flatten_text(
    text: &str,
    inherited: Option<&(String, String)>,
    depth: u32,
    sink: &mut dyn FnMut(Item) -> Result<(), String>,
) -> Result<(), String> {
    let wrong = |error: serde_json::Error| format!("is not valid JSON: {error}");
    let Some(depth) = depth.checked_sub(1) else {
        return Err(format!("has lists in one another, more than {LIST_DEPTH} deep"));
    };
    if text.starts_with('[') {
        let items: Vec<&RawValue> = serde_json::from_str(text).map_err(wrong)?;
        return items.into_iter().try_for_each(|item| flatten_text(item.get(), inherited, depth, sink));
    }
    if text.starts_with('{') {
        let envelope: Envelope<'_> = serde_json::from_str(text).map_err(wrong)?;
        let kind = envelope.kind.as_ref().and_then(Value::as_str);
        let api_version = envelope.api_version.as_ref().and_then(Value::as_str);
        if let Some(items) = envelope.items.filter(|_| is_list(kind)) {
            return match items.get() {
                "null" => Ok(()),
                items => flatten_text(items, inherit(api_version, kind).as_ref(), depth, sink),
            };
        }
    }
    sink(Item { value: serde_json::from_str(text).map_err(wrong)?, inherited: inherited.cloned() })
}

fn check_brackets(text: &str) -> Result<(), String> {
    let mut open = 0_usize;
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        if open > OPEN_BRACKETS {
            return Err(format!("has more than {OPEN_BRACKETS} brackets open at once"));
        }
    }
    Ok(())
}

fn read_yaml(text: &str, sink: &mut dyn FnMut(Item) -> Result<(), String>) -> Result<(), String> {
    check_brackets(text)?;
    for document in serde_yaml::Deserializer::from_str(text) {
        let value = Value::deserialize(document).map_err(|error| format!("is not valid YAML: {error}"))?;
        flatten_value(value, None, sink)?;
    }
    Ok(())
}

fn flatten_value(
    value: Value,
    inherited: Option<&(String, String)>,
    sink: &mut dyn FnMut(Item) -> Result<(), String>,
) -> Result<(), String> {
    let items = match value {
        Value::Null => return Ok(()),
        Value::Array(items) => return items.into_iter().try_for_each(|item| flatten_value(item, inherited, sink)),
        Value::Object(mut map) if map.contains_key("items") && is_list(map.get("kind").and_then(Value::as_str)) => {
            let text = |key| map.get(key).and_then(Value::as_str);
            let inherited = inherit(text("apiVersion"), text("kind"));
            return match map.remove("items") {
                Some(items @ Value::Array(_)) => flatten_value(items, inherited.as_ref(), sink),
                _ => Ok(()),
            };
        }
        value => value,
    };
    sink(Item { value: items, inherited: inherited.cloned() })
}

fn is_list(kind: Option<&str>) -> bool {
    kind.is_none_or(|kind| kind.ends_with("List"))
}

fn inherit(api_version: Option<&str>, kind: Option<&str>) -> Option<(String, String)> {
    let kind = kind?.strip_suffix("List").filter(|kind| !kind.is_empty())?;
    Some((api_version?.to_owned(), kind.to_owned()))
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn check(text: &str, form: Form, expected: &Expect) {
        let mut lines = String::new();
        let end = read(text, form, &mut |piece| {
            lines += &match piece {
                Piece::Item(Item { value, inherited }) => {
                    let inherited =
                        inherited.map_or_else(String::new, |(version, kind)| format!(" ({version} {kind})"));
                    format!("{value}{inherited}\n")
                }
                Piece::Log { namespace, pod, container, text } => {
                    format!("log {namespace} {pod} {container} {text:?}\n")
                }
            };
            Ok(())
        });
        if let Err(reason) = end {
            lines += &reason;
        }
        expected.assert_eq(&lines);
    }

    #[test]
    fn documents_lists_and_arrays_become_single_objects() {
        check(
            "{\"a\":1}\n[{\"b\":2},{\"c\":3}]",
            Form::Either,
            &expect![[r#"
            {"a":1}
            {"b":2}
            {"c":3}
        "#]],
        );
        check(
            r#"{"kind":"PodList","apiVersion":"v1","items":[{"b":2}]}"#,
            Form::Either,
            &expect![[r#"
            {"b":2} (v1 Pod)
        "#]],
        );
        check(
            r#"{"kind":"List","apiVersion":"v1","items":[{"b":2}]}"#,
            Form::Either,
            &expect![[r#"
            {"b":2}
        "#]],
        );
        check(r#"{"kind":"PodList","apiVersion":"v1","items":null}"#, Form::Either, &expect![""]);
        check(
            r#"{"kind":"Basket","items":[1]}"#,
            Form::Either,
            &expect![[r#"
            {"items":[1],"kind":"Basket"}
        "#]],
        );
        check(
            "a: 1\n---\n# nothing\n---\nkind: PodList\napiVersion: v1\nitems:\n- b: 2\n",
            Form::Yaml,
            &expect![[r#"
            {"a":1}
            {"b":2} (v1 Pod)
        "#]],
        );
        check(
            "{a: 1}",
            Form::Yaml,
            &expect![[r#"
            {"a":1}
        "#]],
        );
    }

    #[test]
    fn what_is_broken_is_named_with_line_and_column() {
        check(
            "a: 1\n---\nb: [1\nc: 2\n",
            Form::Yaml,
            &expect![[r#"
            {"a":1}
            is not valid YAML: did not find expected ',' or ']' at line 4 column 2, while parsing a flow sequence at line 3 column 4"#]],
        );
        check(
            "{\"a\":1}\n{\"b\":",
            Form::Either,
            &expect![[r#"
            {"a":1}
            is not valid JSON: EOF while parsing a value at line 2 column 5"#]],
        );
    }

    #[test]
    fn an_anchor_bomb_is_refused() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for level in 1..12 {
            let before = level - 1;
            text += &format!("a{level}: &a{level} [{}]\n", vec![format!("*a{before}"); 9].join(", "));
        }
        check(&text, Form::Yaml, &expect!["is not valid YAML: repetition limit exceeded"]);
    }

    #[test]
    fn a_file_of_brackets_is_refused() {
        let deep = "[".repeat(200_000) + &"]".repeat(200_000);
        check(&deep, Form::Either, &expect!["has lists in one another, more than 8 deep"]);
        check(&deep, Form::Yaml, &expect!["has lists in one another, more than 8 deep"]);
        check(
            &format!("{{\"a\":{deep}}}"),
            Form::Either,
            &expect!["is not valid JSON: recursion limit exceeded at line 1 column 132"],
        );
        check(&format!("a: {deep}"), Form::Yaml, &expect!["has more than 10000 brackets open at once"]);
    }

    #[test]
    fn logs_between_markers_are_cut_out() {
        let text = "{\"a\":1}\n==== START logs for container c of pod n/p ====\none\n{\n==== END logs for container c of pod n/p ====\n{\"b\":2}\n";
        check(
            text,
            Form::Either,
            &expect![[r#"
            {"a":1}
            log n p c "one\n{\n"
            {"b":2}
        "#]],
        );
    }
}
