//! A set of fields, and what two sets have in common.

use std::fmt;

use super::{FieldPath, FieldPathError};

/// A set of fields, each with everything below it. The default is empty.
///
/// Kept sorted, and without what lies below another member.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct FieldSet {
    paths: Vec<FieldPath>,
}

impl FieldSet {
    /// Parses each text as a path.
    ///
    /// # Errors
    ///
    /// That of the first text that is no path.
    pub fn parse<S: AsRef<str>>(texts: &[S]) -> Result<Self, FieldPathError> {
        texts.iter().map(|text| text.as_ref().parse()).collect::<Result<Vec<FieldPath>, _>>().map(Self::from_iter)
    }

    /// Returns the members in order.
    #[must_use]
    pub fn paths(&self) -> &[FieldPath] {
        &self.paths
    }

    /// Whether there are no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// Whether `path` is a member or lies below one.
    #[must_use]
    pub fn covers(&self, path: &FieldPath) -> bool {
        self.paths.iter().any(|member| member.covers(path))
    }

    /// Returns what lies in both: of two nested fields, the inner one. Cost: the product of the sizes.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let inner_of = |left: &FieldPath, right: &FieldPath| {
            if left.covers(right) {
                return Some(right.clone());
            }
            right.covers(left).then(|| left.clone())
        };
        self.paths.iter().flat_map(|left| other.paths.iter().filter_map(move |right| inner_of(left, right))).collect()
    }

    /// Returns what lies in either.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        self.paths.into_iter().chain(other.paths).collect()
    }
}

impl FromIterator<FieldPath> for FieldSet {
    fn from_iter<I: IntoIterator<Item = FieldPath>>(paths: I) -> Self {
        let mut paths: Vec<_> = paths.into_iter().collect();
        paths.sort();
        // A field sorts directly before what lies below it, so comparing neighbours suffices.
        paths.dedup_by(|inner, outer| outer.covers(inner));
        Self { paths }
    }
}

impl fmt::Display for FieldSet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, path) in self.paths.iter().enumerate() {
            if index > 0 {
                formatter.write_str(", ")?;
            }
            write!(formatter, "{path}")?;
        }
        Ok(())
    }
}
