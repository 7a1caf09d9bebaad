//! Names with `*` in them.

/// Whether `text` is what `pattern` says; `*` stands for any letters, also none.
pub(crate) fn matches(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(mut text) = text.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = text.find(part) else { return false };
        text = &text[at + part.len()..];
    }
    text.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_any_letters() {
        for (pattern, text) in
            [("*", ""), ("a*", "abc"), ("*c", "abc"), ("a*c", "ac"), ("a*b*c", "a-b-b-c"), ("x", "x")]
        {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("a*", "ba"), ("a*b", "a"), ("aa*aa", "aaa"), ("x", "xx"), ("a*b*c", "acb")] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }
}
