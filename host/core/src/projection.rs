//! Cutting an object down to the fields that are wanted and may be seen, in one pass over its JSON text.

mod plan;
mod walk;

use crate::field_path::{FieldPathError, FieldSet};
use crate::grant::AllowedFields;

use plan::Rule;

/// Most paths in one projection. Without it, a guest makes the host compile an endless list for each call.
pub const MAX_PATHS: usize = 1000;

/// What is always kept, so that a cut object can still be told from another.
pub const ALWAYS_KEPT: [&str; 5] = ["apiVersion", "kind", "metadata.name", "metadata.namespace", "metadata.uid"];

/// Why there is no projection, or nothing came of it.
#[derive(Debug, thiserror::Error)]
pub enum ProjectionError {
    /// A path does not parse.
    #[error(transparent)]
    Path(#[from] FieldPathError),
    /// More than [`MAX_PATHS`] paths.
    #[error("a projection has {0} field paths; at most {MAX_PATHS} are taken")]
    TooManyPaths(usize),
    /// The text is not JSON, or nested deeper than 128 levels.
    #[error("the object is not JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// The text is JSON, and not an object.
    #[error("the text is not a JSON object")]
    NotAnObject,
}

/// Which part of an object is copied. Made once per call of a plugin and applied to each object.
#[derive(Debug, Clone)]
pub struct Projection {
    rule: Rule,
}

impl Projection {
    /// Returns what keeps the fields `keep` (empty for all) without the fields `omit`, and of those only
    /// what is `allowed`. [`ALWAYS_KEPT`] is kept whatever they say.
    #[must_use]
    pub fn new(keep: &FieldSet, omit: &FieldSet, allowed: &AllowedFields) -> Self {
        let wanted = (!keep.is_empty()).then_some(keep);
        let included = match (wanted, allowed) {
            (None, AllowedFields::All) => None,
            (Some(wanted), AllowedFields::All) => Some(wanted.clone()),
            (None, AllowedFields::Only(allowed)) => Some(allowed.clone()),
            (Some(wanted), AllowedFields::Only(allowed)) => Some(wanted.intersection(allowed)),
        };
        Self { rule: plan::compile(included.as_ref(), omit) }
    }

    /// As [`Projection::new`], from a guest's texts.
    ///
    /// # Errors
    ///
    /// When a text is no path, or there are more than [`MAX_PATHS`].
    pub fn parse<S: AsRef<str>>(keep: &[S], omit: &[S], allowed: &AllowedFields) -> Result<Self, ProjectionError> {
        let count = keep.len() + omit.len();
        if count > MAX_PATHS {
            return Err(ProjectionError::TooManyPaths(count));
        }
        Ok(Self::new(&FieldSet::parse(keep)?, &FieldSet::parse(omit)?, allowed))
    }

    /// Whether it keeps everything, so that a text may be passed on as it is.
    #[must_use]
    pub fn keeps_everything(&self) -> bool {
        matches!(self.rule, Rule::Copy)
    }

    /// Appends what is kept of `object` to `output`. Keys stay in order; what is kept whole is copied as it
    /// is written. One pass over the text; memory for the output alone.
    ///
    /// A list keeps its objects, cut; a value that has no such field below it is left out.
    ///
    /// # Errors
    ///
    /// When the text is not a JSON object; `output` is then as it was.
    pub fn apply(&self, object: &[u8], output: &mut Vec<u8>) -> Result<(), ProjectionError> {
        let before = output.len();
        let result = walk::copy(&self.rule, object, output);
        if result.is_err() {
            output.truncate(before);
        }
        result
    }
}

#[cfg(test)]
mod tests;
