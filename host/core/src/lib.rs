//! Porthole's vocabulary, as pure code.
//!
//! What a plugin states (manifest), what the operator allows (grants), how much it may use (budgets),
//! what it found (results) and how a process ends (exit codes). Nothing here does IO, is async, or
//! reads the clock or the environment, so everything here is tested by unit tests alone.

pub mod audit;
pub mod budget;
pub mod config;
pub mod exit_code;
pub mod field_path;
pub mod grant;
pub mod limits;
pub mod manifest;
pub mod placement;
pub mod progress;
pub mod projection;
pub mod report;
pub mod resource;
pub mod results;
pub mod selector;
pub mod status;
