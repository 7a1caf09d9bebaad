//! Field selectors, as `kubectl --field-selector` and the API's `fieldSelector` parameter take them.
//!
//! Terms are `field=value`, `field==value` and `field!=value`, joined by commas; a backslash takes a
//! comma, an equals sign or a backslash literally (Kubernetes' `fields.EscapeValue`).

use serde_json::Value;

use super::SelectorError;
use super::supported::supported;

/// Bytes of a selector that are read, for the reason that label selectors have.
const SELECTOR_BYTES: usize = 16 * 1024;

/// A conjunction of comparisons; without any it takes every object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldSelector {
    terms: Vec<Term>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Term {
    field: String,
    value: String,
    wanted: Wanted,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Equal,
    Different,
}

impl FieldSelector {
    /// Reads a selector; an empty text takes every object.
    ///
    /// # Errors
    ///
    /// Fails for a text that the API server would refuse. Whether the fields can be selected by is
    /// another question: see [`FieldSelector::check`].
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        if text.len() > SELECTOR_BYTES {
            return Err(SelectorError::TooLong { length: text.len(), limit: SELECTOR_BYTES });
        }
        let terms = split(text, ',').into_iter().filter(|term| !term.is_empty());
        Ok(Self { terms: terms.map(term).collect::<Result<_, _>>()? })
    }

    /// Returns whether every object is taken.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// Returns the one object name that the selector asks for, if it does (`metadata.name=x`).
    #[must_use]
    pub fn exact_name(&self) -> Option<&str> {
        let by_name = |term: &&Term| term.field == "metadata.name" && term.wanted == Wanted::Equal;
        self.terms.iter().find(by_name).map(|term| term.value.as_str())
    }

    /// Checks that objects of a kind can be selected by these fields.
    ///
    /// # Errors
    ///
    /// Fails with the API server's words where it would refuse.
    pub fn check(&self, group: &str, resource: &str) -> Result<(), SelectorError> {
        let known = supported(group, resource);
        match self.terms.iter().find(|term| !known.contains(&term.field.as_str())) {
            None => Ok(()),
            Some(term) => Err(SelectorError::FieldNotSupported { field: term.field.clone(), supported: known }),
        }
    }

    /// Returns whether an object is taken. A field that it does not have is the empty text, as the API server has it.
    #[must_use]
    pub fn matches(&self, object: &Value) -> bool {
        self.terms.iter().all(|term| {
            let holds = values(object, &term.field).contains(&term.value);
            holds == (term.wanted == Wanted::Equal)
        })
    }
}

/// Returns the texts that a field of an object compares as; several for a list.
fn values(object: &Value, field: &str) -> Vec<String> {
    let at = |path: &str| path.split('.').try_fold(object, |value, part| value.get(part));
    // The server compares `status.podIPs` by each address. Events say their component in two places, and
    // `source` selects by the first (`ToSelectableFields` of events).
    let found = match field {
        "source" => at("source.component").or_else(|| at("reportingComponent")),
        field => at(field),
    };
    match found {
        Some(Value::Array(items)) => items.iter().map(|item| text(item.get("ip").unwrap_or(item))).collect(),
        // A field that is false or zero is left out of an object's text.
        None if matches!(field, "spec.unschedulable" | "spec.hostNetwork") => vec!["false".to_owned()],
        None if field == "status.replicas" || field == "status.successful" => vec!["0".to_owned()],
        None => vec![String::new()],
        Some(value) => vec![text(value)],
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

fn term(text: &str) -> Result<Term, SelectorError> {
    let wrong = || SelectorError::FieldTerm { term: text.to_owned() };
    let at = sign(text).ok_or_else(wrong)?;
    let (field, wanted) = match text[..at].strip_suffix('!') {
        Some(field) => (field, Wanted::Different),
        None => (&text[..at], Wanted::Equal),
    };
    let rest = &text[at + 1..];
    let value = if wanted == Wanted::Equal { rest.strip_prefix('=').unwrap_or(rest) } else { rest };
    let field = field.trim();
    if field.is_empty() || sign(value).is_some() {
        return Err(wrong());
    }
    Ok(Term { field: field.to_owned(), value: unescaped(value).ok_or_else(wrong)?, wanted })
}

/// Returns where the first equals sign is that is not escaped.
fn sign(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().find_map(|(index, letter)| {
        let found = letter == '=' && !escaped;
        escaped = letter == '\\' && !escaped;
        found.then_some(index)
    })
}

/// Splits at the separators that are not escaped.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut parts, mut start, mut escaped) = (Vec::new(), 0, false);
    for (index, letter) in text.char_indices() {
        if letter == separator && !escaped {
            parts.push(&text[start..index]);
            start = index + letter.len_utf8();
        }
        escaped = letter == '\\' && !escaped;
    }
    parts.push(&text[start..]);
    parts
}

fn unescaped(value: &str) -> Option<String> {
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        text.push(match letter {
            '\\' => letters.next().filter(|next| matches!(next, '\\' | ',' | '='))?,
            letter => letter,
        });
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn takes(selector: &str, object: &Value) -> bool {
        FieldSelector::parse(selector).expect(selector).matches(object)
    }

    #[test]
    fn fields_are_compared_as_text() {
        let pod = json!({"metadata": {"name": "web", "namespace": "shop"}, "spec": {"nodeName": "n1", "hostNetwork": true},
            "status": {"phase": "Running", "podIPs": [{"ip": "10.0.0.1"}, {"ip": "fd00::1"}]}});
        for selector in [
            "",
            "metadata.name=web",
            "metadata.name==web,status.phase!=Pending",
            "spec.hostNetwork=true",
            "status.podIPs=fd00::1",
            "status.nominatedNodeName=",
            "spec.nodeName!=n2",
        ] {
            assert!(takes(selector, &pod), "{selector}");
        }
        for selector in
            ["metadata.name!=web", "status.phase=Pending", "spec.hostNetwork=false", "status.podIPs=10.0.0.2"]
        {
            assert!(!takes(selector, &pod), "{selector}");
        }
        assert!(takes("spec.unschedulable=false", &json!({"spec": {}})));
        assert!(takes("source=kubelet", &json!({"source": {"component": "kubelet"}})));
    }

    #[test]
    fn a_comma_in_a_value_is_escaped() {
        let event = json!({"reason": "a,b=c\\"});
        assert!(takes("reason=a\\,b\\=c\\\\", &event));
        for wrong in ["reason", "=x", "a=b=c", "a=\\x", "a=b\\"] {
            assert!(FieldSelector::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_the_servers_fields_can_be_selected_by() {
        let check =
            |selector: &str, resource: &str| FieldSelector::parse(selector).expect(selector).check("", resource);
        assert_eq!(check("spec.nodeName=a", "pods"), Ok(()));
        let error = check("spec.nodeName=a", "configmaps").expect_err("no such field");
        assert_eq!(
            error.to_string(),
            "field label not supported: spec.nodeName (supported: metadata.name, metadata.namespace)"
        );
    }

    #[test]
    fn one_name_is_known_as_such() {
        let name = |selector: &str| FieldSelector::parse(selector).expect(selector).exact_name().map(str::to_owned);
        assert_eq!(name("status.phase=Running,metadata.name=web"), Some("web".to_owned()));
        assert_eq!(name("metadata.name!=web"), None);
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_fail_otherwise_than_by_an_error(text in ".{0,200}") {
            let _ = FieldSelector::parse(&text);
        }
    }
}
