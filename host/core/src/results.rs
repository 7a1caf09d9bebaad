//! What plugins found: items with a verdict, their trees, and how the files of a plugin become items.
//!
//! The shapes are Sonobuoy's, so that its `results` command reads what Porthole writes. Where Sonobuoy
//! calls a plugin passed although nothing was shown to be in order, [`Mode::Strict`] does not; the
//! table of all differences is at [`processing`].

pub mod aggregate;
pub mod counts;
mod go_text;
pub mod item;
pub mod processing;
pub mod status;
pub mod tree;

pub use aggregate::{Mode, aggregate};
pub use counts::Counts;
pub use item::{Details, Item};
pub use processing::{Driver, PluginShape, Processor};
pub use status::Status;
pub use tree::{Report, TreeBuilder};
