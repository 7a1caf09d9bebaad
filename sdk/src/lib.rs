//! Write Porthole plugins in Rust.
