//! Paths to fields of an object, such as `spec.containers.image` or `metadata.annotations['a.b/c']`.
//!
//! A path goes through lists without saying so, and means the field with everything below it.

use std::fmt;
use std::str::FromStr;

mod set;

pub use set::FieldSet;

/// Longest path, in bytes. Without it, a guest makes the host parse and keep megabytes for each call.
pub const MAX_PATH_BYTES: usize = 1024;

/// Most parts of a path. Without it, a path of many parts makes every walk over an object deeper than any object is.
pub const MAX_PARTS: usize = 64;

/// Why a path was not understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FieldPathError {
    /// There is nothing, or nothing between two dots.
    #[error("the field path `{0}` has an empty part; write for instance `spec.containers.image`")]
    EmptyPart(String),
    /// Wildcards and indices are not supported.
    #[error(
        "the field path `{0}` has a wildcard or an index; a path goes through lists by itself, so write `spec.containers.image`, and a key with such characters as `['key']`"
    )]
    Wildcard(String),
    /// A bracket or quote is not closed, or something follows it.
    #[error(
        "the field path `{0}` has a bracket that is not `['key']`; write for instance `metadata.annotations['a.b/c']`"
    )]
    Bracket(String),
    /// A character that needs a bracket.
    #[error("the field path `{path}` has `{character}` in a part; write such a key as `['key']`")]
    Character {
        /// The path.
        path: String,
        /// The first such character.
        character: char,
    },
    /// Longer than [`MAX_PATH_BYTES`] or of more than [`MAX_PARTS`] parts.
    #[error("a field path is longer than {MAX_PATH_BYTES} bytes or {MAX_PARTS} parts")]
    TooLong,
}

/// A path to a field. Ordered by its parts, so that what is below a field follows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FieldPath {
    parts: Vec<String>,
}

impl FieldPath {
    /// Returns the keys from the outermost one; at least one.
    #[must_use]
    pub fn parts(&self) -> &[String] {
        &self.parts
    }

    /// Whether `other` is this field or lies below it.
    #[must_use]
    pub fn covers(&self, other: &Self) -> bool {
        other.parts.starts_with(&self.parts)
    }
}

fn is_plain(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '$' | '/' | ':')
}

impl FromStr for FieldPath {
    type Err = FieldPathError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.len() > MAX_PATH_BYTES {
            return Err(FieldPathError::TooLong);
        }
        let bracket = || FieldPathError::Bracket(text.to_owned());
        let mut parts = Vec::new();
        let mut rest = text;
        loop {
            if let Some(quoted) = rest.strip_prefix("['") {
                let (key, tail) = quoted_key(quoted).ok_or_else(bracket)?;
                parts.push(key);
                rest = tail;
            } else {
                let end = rest.find(['.', '[']).unwrap_or(rest.len());
                let (part, tail) = rest.split_at(end);
                check_plain(part, tail, text)?;
                parts.push(part.to_owned());
                rest = tail;
            }
            if parts.len() > MAX_PARTS {
                return Err(FieldPathError::TooLong);
            }
            if rest.is_empty() {
                return Ok(Self { parts });
            }
            if let Some(tail) = rest.strip_prefix('.') {
                if tail.starts_with('[') {
                    return Err(bracket());
                }
                rest = tail;
            } else if !rest.starts_with('[') {
                return Err(bracket());
            }
        }
    }
}

/// Reads up to the closing `']`; within, `\'` is a quote and `\\` a backslash.
fn quoted_key(text: &str) -> Option<(String, &str)> {
    let mut key = String::new();
    let mut characters = text.char_indices();
    while let Some((index, character)) = characters.next() {
        match character {
            '\'' => return text[index + 1..].strip_prefix(']').map(|rest| (key, rest)),
            '\\' => key.push(characters.next().map(|(_, next)| next).filter(|next| matches!(next, '\'' | '\\'))?),
            other => key.push(other),
        }
    }
    None
}

fn check_plain(part: &str, tail: &str, text: &str) -> Result<(), FieldPathError> {
    if part.contains('*') || tail.starts_with("[*") || tail[..].strip_prefix('[').is_some_and(starts_with_digit_or_end)
    {
        return Err(FieldPathError::Wildcard(text.to_owned()));
    }
    if part.is_empty() && tail.starts_with('[') {
        return Err(FieldPathError::Bracket(text.to_owned()));
    }
    if part.is_empty() {
        return Err(FieldPathError::EmptyPart(text.to_owned()));
    }
    match part.chars().find(|character| !is_plain(*character)) {
        Some(character) => Err(FieldPathError::Character { path: text.to_owned(), character }),
        None => Ok(()),
    }
}

fn starts_with_digit_or_end(text: &str) -> bool {
    text.starts_with(|character: char| character.is_ascii_digit() || character == ']')
}

impl fmt::Display for FieldPath {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, part) in self.parts.iter().enumerate() {
            if part.is_empty() || !part.chars().all(is_plain) {
                write!(formatter, "['{}']", part.replace('\\', "\\\\").replace('\'', "\\'"))?;
                continue;
            }
            if index > 0 {
                formatter.write_str(".")?;
            }
            formatter.write_str(part)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
