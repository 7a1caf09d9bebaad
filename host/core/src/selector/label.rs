//! Label selectors in the form that `kubectl -l` and the API's `labelSelector` parameter take.
//!
//! Grammar and meaning are those of Kubernetes' documentation "Labels and Selectors": terms are joined by
//! commas and all must hold; `!=` and `notin` also take objects without the label.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use super::SelectorError;

/// Bytes of a selector that are read. A guest chooses selectors; without the bound one would cost the host
/// as much as the guest likes, for every object.
const SELECTOR_BYTES: usize = 16 * 1024;
/// Bytes of a label's name and of its value.
const LABEL_BYTES: usize = 63;
/// Bytes of the DNS prefix of a label's key.
const PREFIX_BYTES: usize = 253;

/// A conjunction of requirements; without any it takes every object.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LabelSelector {
    requirements: Vec<LabelRequirement>,
}

/// One requirement on one label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LabelRequirement {
    /// The label's key.
    pub key: String,
    /// What is required.
    pub operator: Operator,
}

/// What is required of a label.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operator {
    /// It is there, with one of these values; never empty.
    In(BTreeSet<String>),
    /// It is not there, or has none of these values; never empty.
    NotIn(BTreeSet<String>),
    /// It is there.
    Exists,
    /// It is not there.
    DoesNotExist,
    /// It is there, and is a whole number greater than this.
    GreaterThan(i64),
    /// It is there, and is a whole number less than this.
    LessThan(i64),
}

impl LabelSelector {
    /// Reads a selector; an empty text takes every object.
    ///
    /// # Errors
    ///
    /// Fails for a text that the API server would refuse, naming the part that is wrong.
    pub fn parse(text: &str) -> Result<Self, SelectorError> {
        if text.len() > SELECTOR_BYTES {
            return Err(SelectorError::TooLong { length: text.len(), limit: SELECTOR_BYTES });
        }
        let terms = terms(text).into_iter().map(str::trim).filter(|term| !term.is_empty());
        Ok(Self { requirements: terms.map(requirement).collect::<Result<_, _>>()? })
    }

    /// Returns whether every object is taken.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.requirements.is_empty()
    }

    /// Returns the requirements, in the order of the text.
    #[must_use]
    pub fn requirements(&self) -> &[LabelRequirement] {
        &self.requirements
    }

    /// Returns whether an object with these labels is taken.
    #[must_use]
    pub fn matches(&self, labels: &BTreeMap<String, String>) -> bool {
        self.requirements.iter().all(|requirement| requirement.holds(labels))
    }
}

impl LabelRequirement {
    fn holds(&self, labels: &BTreeMap<String, String>) -> bool {
        let value = labels.get(&self.key);
        let number = || value.and_then(|value| value.parse::<i64>().ok());
        match &self.operator {
            Operator::In(values) => value.is_some_and(|value| values.contains(value)),
            Operator::NotIn(values) => value.is_none_or(|value| !values.contains(value)),
            Operator::Exists => value.is_some(),
            Operator::DoesNotExist => value.is_none(),
            Operator::GreaterThan(bound) => number().is_some_and(|number| number > *bound),
            Operator::LessThan(bound) => number().is_some_and(|number| number < *bound),
        }
    }
}

/// Splits at the commas that are not in parentheses.
fn terms(text: &str) -> Vec<&str> {
    let (mut terms, mut start, mut depth) = (Vec::new(), 0, 0_u32);
    for (index, letter) in text.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                terms.push(&text[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    terms.push(&text[start..]);
    terms
}

fn requirement(term: &str) -> Result<LabelRequirement, SelectorError> {
    let wrong = || SelectorError::LabelTerm { term: term.to_owned() };
    if let Some(key) = term.strip_prefix('!') {
        return Ok(LabelRequirement { key: checked_key(key.trim())?, operator: Operator::DoesNotExist });
    }
    if let Some(open) = term.find('(') {
        let set = term[open..].strip_prefix('(').and_then(|rest| rest.strip_suffix(')')).ok_or_else(wrong)?;
        let (key, word) = term[..open].trim_end().rsplit_once(char::is_whitespace).ok_or_else(wrong)?;
        let key = checked_key(key.trim())?;
        if set.trim().is_empty() {
            return Err(SelectorError::EmptySet { key });
        }
        let values = set.split(',').map(|value| checked_value(value.trim())).collect::<Result<_, _>>()?;
        let operator = match word {
            "in" => Operator::In(values),
            "notin" => Operator::NotIn(values),
            _ => return Err(wrong()),
        };
        return Ok(LabelRequirement { key, operator });
    }
    let one = |value: &str| checked_value(value.trim()).map(|value| BTreeSet::from([value]));
    let (key, operator) = if let Some((key, value)) = term.split_once("!=") {
        (key, Operator::NotIn(one(value)?))
    } else if let Some((key, value)) = term.split_once("==").or_else(|| term.split_once('=')) {
        (key, Operator::In(one(value)?))
    } else if let Some((key, value)) = term.split_once('>') {
        (key, Operator::GreaterThan(number(value)?))
    } else if let Some((key, value)) = term.split_once('<') {
        (key, Operator::LessThan(number(value)?))
    } else if term.contains(char::is_whitespace) {
        return Err(wrong());
    } else {
        (term, Operator::Exists)
    };
    Ok(LabelRequirement { key: checked_key(key.trim())?, operator })
}

fn number(value: &str) -> Result<i64, SelectorError> {
    value.trim().parse().map_err(|_| SelectorError::Number { value: value.trim().to_owned() })
}

fn checked_key(key: &str) -> Result<String, SelectorError> {
    let (prefix, name) = key.split_once('/').map_or((None, key), |(prefix, name)| (Some(prefix), name));
    if !name.is_empty() && is_name(name) && prefix.is_none_or(is_prefix) {
        return Ok(key.to_owned());
    }
    Err(SelectorError::Key { key: key.to_owned() })
}

fn checked_value(value: &str) -> Result<String, SelectorError> {
    if is_name(value) { Ok(value.to_owned()) } else { Err(SelectorError::Value { value: value.to_owned() }) }
}

/// Whether a text is empty, or the name of a label.
fn is_name(name: &str) -> bool {
    let inner = |letter: u8| letter.is_ascii_alphanumeric() || matches!(letter, b'-' | b'_' | b'.');
    let bytes = name.as_bytes();
    let ends = bytes.first().zip(bytes.last());
    name.len() <= LABEL_BYTES
        && bytes.iter().all(|letter| inner(*letter))
        && ends.is_none_or(|(first, last)| first.is_ascii_alphanumeric() && last.is_ascii_alphanumeric())
}

/// Whether a text is a DNS subdomain (RFC 1123).
fn is_prefix(prefix: &str) -> bool {
    let label = |label: &str| {
        let bytes = label.as_bytes();
        let edge =
            |letter: Option<&u8>| letter.is_some_and(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit());
        edge(bytes.first())
            && edge(bytes.last())
            && bytes.iter().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || *letter == b'-')
    };
    prefix.len() <= PREFIX_BYTES && prefix.split('.').all(label)
}

/// The form that [`LabelSelector::parse`] reads.
impl fmt::Display for LabelSelector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, LabelRequirement { key, operator }) in self.requirements.iter().enumerate() {
            if index > 0 {
                formatter.write_str(",")?;
            }
            match operator {
                Operator::In(values) => write_set(formatter, key, ("=", "in"), values)?,
                Operator::NotIn(values) => write_set(formatter, key, ("!=", "notin"), values)?,
                Operator::Exists => formatter.write_str(key)?,
                Operator::DoesNotExist => write!(formatter, "!{key}")?,
                Operator::GreaterThan(bound) => write!(formatter, "{key}>{bound}")?,
                Operator::LessThan(bound) => write!(formatter, "{key}<{bound}")?,
            }
        }
        Ok(())
    }
}

fn write_set(
    formatter: &mut fmt::Formatter<'_>,
    key: &str,
    (sign, word): (&str, &str),
    values: &BTreeSet<String>,
) -> fmt::Result {
    let values: Vec<_> = values.iter().map(String::as_str).collect();
    match values.as_slice() {
        [value] => write!(formatter, "{key}{sign}{value}"),
        values => write!(formatter, "{key} {word} ({})", values.join(",")),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};
    use proptest::prelude::*;

    use super::*;

    fn takes(selector: &str, labels: &[(&str, &str)]) -> bool {
        let labels = labels.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        LabelSelector::parse(selector).expect(selector).matches(&labels)
    }

    #[test]
    fn every_operator_means_what_kubernetes_says() {
        let labels = [("app", "web"), ("tier", "front"), ("weight", "7"), ("a.b/c", "")];
        for selector in [
            "",
            "app=web",
            "app==web",
            "app = web",
            "app!=db",
            "missing!=x",
            "app in (web,db)",
            "app notin (db)",
            "missing notin (x)",
            "app",
            "!missing",
            "weight>6",
            "weight<8",
            "a.b/c=",
            "app=web,tier=front, !x",
            "app in ( web , db ),tier",
        ] {
            assert!(takes(selector, &labels), "{selector}");
        }
        for selector in [
            "app=db",
            "app!=web",
            "app in (db)",
            "app notin (web,db)",
            "!app",
            "missing",
            "weight>7",
            "weight<7",
            "app>1",
            "missing>1",
            "app=web,tier=back",
            "missing=",
        ] {
            assert!(!takes(selector, &labels), "{selector}");
        }
    }

    fn check(selector: &str, expected: &Expect) {
        let error = LabelSelector::parse(selector).expect_err(selector);
        expected.assert_eq(&error.to_string());
    }

    #[test]
    fn nonsense_is_refused_with_what_is_right() {
        check(
            "a b",
            &expect![
                "`a b` is no term of a label selector; terms are `key=value`, `key!=value`, `key in (a,b)`, `key notin (a,b)`, `key`, `!key`, `key>1` and `key<1`"
            ],
        );
        check("a in ()", &expect!["`a` has an empty set of values"]);
        check(
            "a of (b)",
            &expect![
                "`a of (b)` is no term of a label selector; terms are `key=value`, `key!=value`, `key in (a,b)`, `key notin (a,b)`, `key`, `!key`, `key>1` and `key<1`"
            ],
        );
        check("a>b", &expect!["`b` is no whole number, as `>` and `<` need"]);
        check(
            "A.b/c/d=e",
            &expect![
                "`A.b/c/d` is no label key: an optional DNS prefix and `/`, then at most 63 letters, digits, `-`, `_` or `.`, beginning and ending with a letter or digit"
            ],
        );
        check(
            "a=-b",
            &expect![
                "`-b` is no label value: at most 63 letters, digits, `-`, `_` or `.`, beginning and ending with a letter or digit, or nothing"
            ],
        );
        for wrong in ["=b", "!", "a in (b", "a/=b", "/a=b", "a=b=c", &"a".repeat(64), &"x,".repeat(10_000)] {
            assert!(LabelSelector::parse(wrong).is_err(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_again(
            terms in prop::collection::vec(
                prop_oneof![
                    "[a-z]{1,5}(=|!=|==)[a-z0-9]{0,4}", "[a-z]{1,5} (in|notin) \\([a-z]{1,3}(,[a-z]{1,3}){0,3}\\)",
                    "!?[a-z.]{0,1}[a-z]{1,5}", "[a-z]{1,3}[<>]-?[0-9]{1,5}",
                ],
                0..5,
            )
        ) {
            let text = terms.join(",");
            if let Ok(selector) = LabelSelector::parse(&text) {
                prop_assert_eq!(LabelSelector::parse(&selector.to_string()).expect("printed"), selector);
            }
        }

        #[test]
        fn no_text_makes_the_parser_fail_otherwise_than_by_an_error(text in ".{0,200}") {
            let _ = LabelSelector::parse(&text);
        }
    }
}
