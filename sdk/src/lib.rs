#![doc = include_str!("../README.md")]

#[doc(hidden)]
pub mod bindings;
pub mod config;
mod context;
mod host;
pub mod kubernetes;
pub mod log;
mod producer;
pub mod progress;
pub mod results;
#[cfg(not(target_family = "wasm"))]
pub mod testing;

pub use context::Context;
pub use producer::{Failure, Producer};

#[doc(hidden)]
pub mod __private {
    //! What the macros of this crate expand to; not for anybody else.

    #[cfg(target_family = "wasm")]
    pub use crate::bindings;
    pub use crate::log::{Level, write};
    #[cfg(target_family = "wasm")]
    pub use crate::producer::produce;
}
