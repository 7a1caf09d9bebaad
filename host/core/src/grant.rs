//! What a plugin asks for, what the operator allows, and the decision between the two.
//!
//! Nothing is granted by default: an empty list means none, and a wildcard must be written.

mod access;
mod cover;
mod denial;
mod file;
mod rule;
mod verb;
mod window;

pub use access::{Access, Scope};
pub use cover::AllowedFields;
pub use denial::{Denial, Missing};
pub use file::{Grants, GrantsError, GrantsFile, MAX_GRANTS_BYTES, PluginGrant};
pub use rule::{
    CollectRule, EnvironmentRule, ExecRule, FilesystemAccess, FilesystemRule, HttpRule, KubernetesRule, Requests,
};
pub use verb::Verb;
pub use window::{Decision, Window};

#[cfg(test)]
mod tests;
