//! Why a selector cannot be used.

/// Why a selector cannot be used. The text names the part that is wrong and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SelectorError {
    /// The selector is longer than any that is meant.
    #[error("the selector has {length} bytes; at most {limit} are read")]
    TooLong {
        /// How long it is.
        length: usize,
        /// How long it may be.
        limit: usize,
    },
    /// A term is not one.
    #[error(
        "`{term}` is no term of a label selector; terms are `key=value`, `key!=value`, `key in (a,b)`, `key notin (a,b)`, `key`, `!key`, `key>1` and `key<1`"
    )]
    LabelTerm {
        /// The term.
        term: String,
    },
    /// A key is not one.
    #[error(
        "`{key}` is no label key: an optional DNS prefix and `/`, then at most 63 letters, digits, `-`, `_` or `.`, beginning and ending with a letter or digit"
    )]
    Key {
        /// The key.
        key: String,
    },
    /// A value is not one.
    #[error(
        "`{value}` is no label value: at most 63 letters, digits, `-`, `_` or `.`, beginning and ending with a letter or digit, or nothing"
    )]
    Value {
        /// The value.
        value: String,
    },
    /// A bound is not a number.
    #[error("`{value}` is no whole number, as `>` and `<` need")]
    Number {
        /// The value.
        value: String,
    },
    /// A set without values.
    #[error("`{key}` has an empty set of values")]
    EmptySet {
        /// The key.
        key: String,
    },
    /// A term of a field selector is not one.
    #[error("`{term}` is no term of a field selector; terms are `field=value` and `field!=value`")]
    FieldTerm {
        /// The term.
        term: String,
    },
    /// The API server does not select by this field. Its own words, and what would work.
    #[error("field label not supported: {field} (supported: {})", supported.join(", "))]
    FieldNotSupported {
        /// The field.
        field: String,
        /// The fields that are supported for this kind.
        supported: Vec<&'static str>,
    },
}
