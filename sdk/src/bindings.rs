//! The only generated code of the SDK: the imports and exports of `porthole:plugin`.
//!
//! A function that a plugin does not call leaves no trace in its component, so the component's imports
//! prove what it can use. Keep it so: nothing here may be reached through a table of functions.

#![allow(
    dead_code,
    unreachable_pub,
    unsafe_code,
    unused_qualifications,
    clippy::allow_attributes_without_reason,
    clippy::all,
    clippy::pedantic,
    reason = "generated"
)]

wit_bindgen::generate!({
    path: "wit",
    world: "producer-plugin",
    pub_export_macro: true,
    default_bindings_module: "porthole_sdk::bindings",
    generate_all,
});
