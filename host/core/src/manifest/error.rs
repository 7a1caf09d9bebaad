//! Why a text is not a manifest that Porthole can use.

use thiserror::Error;

/// Why a text is not a manifest that Porthole can use.
///
/// Errors of syntax say line and column, both counted from 1; the others say the path of the key, such
/// as `spec.producer.driver`.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// The text is longer than a manifest may be.
    #[error("the manifest has {bytes} bytes; at most {limit} are read")]
    TooLarge {
        /// Its length in bytes.
        bytes: usize,
        /// The longest that is read, in bytes.
        limit: usize,
    },
    /// The text is not YAML or JSON, or expands beyond what is read.
    #[error("line {line}, column {column}: {message}")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
    /// The parser refused the text without saying where.
    #[error("the text is neither YAML nor JSON: {message}")]
    Unreadable {
        /// What is wrong.
        message: String,
    },
    /// There is nothing in the text.
    #[error("the text holds no document (accepted: {})", super::FORMS.join("; "))]
    Empty,
    /// The text holds several plugins where one is wanted.
    #[error("the text holds {count} plugins where one is wanted")]
    Several {
        /// How many.
        count: usize,
    },
    /// A document has the shape of none of the accepted forms.
    #[error(
        "the document is no plugin manifest: it has {} (accepted: {})",
        list_or(found, "no keys"),
        super::FORMS.join("; ")
    )]
    UnknownDocument {
        /// The document's keys, sorted; at most eight.
        found: Vec<String>,
    },
    /// A key that this form does not have.
    #[error("unknown key `{path}` (known keys here: {})", known.join(", "))]
    UnknownKey {
        /// The path of the key.
        path: String,
        /// What may stand there.
        known: &'static [&'static str],
    },
    /// A key that must be there.
    #[error("the key `{path}` is missing: {purpose}")]
    MissingKey {
        /// The path of the key.
        path: String,
        /// What it is for.
        purpose: &'static str,
    },
    /// A value of another type than the key takes.
    #[error("`{path}` is {found}, and must be {expected}")]
    WrongType {
        /// The path of the key.
        path: String,
        /// What is there, with its article.
        found: &'static str,
        /// What must be there, with its article.
        expected: &'static str,
    },
    /// A value of the right type that cannot be used.
    #[error("`{path}` is `{value}`: {reason}")]
    InvalidValue {
        /// The path of the key.
        path: String,
        /// The value, shortened to 120 characters.
        value: String,
        /// Why it cannot be used, and what could.
        reason: String,
    },
    /// A part whose own reader refused it.
    #[error("`{path}`: {reason}")]
    InvalidPart {
        /// The path of the part.
        path: String,
        /// What its reader said.
        reason: String,
    },
    /// A container image stands where a component is needed.
    #[error("`{path}` is `{image}`, which is a container image; Porthole runs WebAssembly components (`.wasm` files)")]
    ContainerImage {
        /// The path of the key.
        path: String,
        /// The image's name.
        image: String,
    },
    /// One of several documents is wrong.
    #[error("document {number} cannot be used")]
    InDocument {
        /// Which one, from 1.
        number: usize,
        /// What is wrong with it.
        #[source]
        source: Box<ManifestError>,
    },
    /// A key of a `ConfigMap` holds a manifest that is wrong.
    #[error("key `{key}` of the `ConfigMap` cannot be used")]
    InConfigMap {
        /// The key under `data`.
        key: String,
        /// What is wrong with it; its lines are those of the key's text.
        #[source]
        source: Box<ManifestError>,
    },
}

impl ManifestError {
    /// Returns what the reader can do about it, where there is something to say.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::ContainerImage { path, .. } => Some(format!(
                "build the plugin as a component and set `{path}` to its path, for instance `./plugin.wasm`; \
                 a program in Rust, Go, C or Python that writes its results to a folder needs no change but the target"
            )),
            Self::UnknownKey { path, known } => {
                let key = path.rsplit('.').next().unwrap_or(path);
                crate::manifest::closest(key, known.iter().copied()).map(|known| format!("did you mean `{known}`?"))
            }
            Self::InDocument { source, .. } | Self::InConfigMap { source, .. } => source.hint(),
            Self::Several { .. } => Some("write one file per plugin".to_owned()),
            _ => None,
        }
    }
}

fn list_or(names: &[String], otherwise: &str) -> String {
    if names.is_empty() {
        return otherwise.to_owned();
    }
    let names: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    format!("the keys {}", names.join(", "))
}
