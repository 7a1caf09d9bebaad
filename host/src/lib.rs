//! Porthole: a host that runs other people's Kubernetes plugins in a WebAssembly sandbox.
//!
//! The modules are layers, lowest first; a module imports only from those before it. `ARCHITECTURE.md`
//! holds the map and the invariants.

pub mod app;
pub mod capability;
pub mod causes;
pub mod cli;
pub mod cluster;
pub mod engine;
pub mod imports;
pub mod plugin;
pub mod registry;
pub mod runs;
