//! JSON values as Go's `fmt.Sprint` shows them, which is how Sonobuoy stores the details of errors.

use std::fmt::Write as _;

use serde_json::Value;

/// Returns `value` as Go text: maps as `map[a:b c:d]` with sorted keys, lists as `[a b]`, null as `<nil>`.
pub(super) fn go_text(value: &Value) -> String {
    let mut text = String::new();
    write_value(value, &mut text);
    text
}

fn write_value(value: &Value, text: &mut String) {
    match value {
        Value::Null => text.push_str("<nil>"),
        Value::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        Value::String(value) => text.push_str(value),
        Value::Number(number) => text.push_str(&go_float(number.as_f64().unwrap_or(f64::INFINITY))),
        Value::Array(values) => {
            text.push('[');
            for (index, value) in values.iter().enumerate() {
                if index > 0 {
                    text.push(' ');
                }
                write_value(value, text);
            }
            text.push(']');
        }
        Value::Object(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by_key(|(key, _)| *key);
            text.push_str("map[");
            for (index, (key, value)) in entries.into_iter().enumerate() {
                if index > 0 {
                    text.push(' ');
                }
                text.push_str(key);
                text.push(':');
                write_value(value, text);
            }
            text.push(']');
        }
    }
}

/// Go's `%v` of a float64: the shortest digits that read back, with an exponent below 1e-4 and from 1e+06.
fn go_float(number: f64) -> String {
    if !number.is_finite() {
        return if number.is_nan() {
            "NaN"
        } else if number > 0.0 {
            "+Inf"
        } else {
            "-Inf"
        }
        .to_owned();
    }
    let scientific = format!("{number:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if number == 0.0 || (-4..6).contains(&exponent) {
        return format!("{number}");
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    let mut text = digits.to_owned();
    // Writing to a String cannot fail.
    let _ = write!(text, "e{sign}{:02}", exponent.unsigned_abs());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(json: &str, expected: &str) {
        let value: Value = serde_json::from_str(json).expect("the case is JSON");
        assert_eq!(go_text(&value), expected);
    }

    #[test]
    fn values_read_as_go_prints_them() {
        check(r#"{"b":[1,"x",null],"a":{"c":true}}"#, "map[a:map[c:true] b:[1 x <nil>]]");
        check("[0, 1.5, -2, 100000, 1234567, 0.00001]", "[0 1.5 -2 100000 1.234567e+06 1e-05]");
        check("[]", "[]");
        check(r#""plain""#, "plain");
    }
}
