//! Who answers: the real host in a component, the in-memory one in native tests.
//!
//! Both modules have the same functions. They are modules and not a trait, because a table of functions
//! would make every component import everything (see `bindings`).

#[cfg(not(target_family = "wasm"))]
mod memory;
#[cfg(target_family = "wasm")]
mod wit;

#[cfg(not(target_family = "wasm"))]
pub(crate) use memory::*;
#[cfg(target_family = "wasm")]
pub(crate) use wit::*;
