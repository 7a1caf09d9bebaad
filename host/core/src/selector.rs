//! Selectors: which objects of a list are meant, by their labels and by their fields.

mod error;
mod field;
mod label;
mod supported;

pub use error::SelectorError;
pub use field::FieldSelector;
pub use label::{LabelRequirement, LabelSelector, Operator};
