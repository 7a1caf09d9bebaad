//! A plugin that collects or checks, and how it becomes a component.

use std::fmt;

use crate::Context;
use crate::kubernetes::Error;

/// A plugin that collects or checks: once per cluster (driver `Job`) or once per node (`DaemonSet`).
pub trait Producer {
    /// Does the work and reports through [`results`](crate::results).
    ///
    /// Called once per target, each time in a new instance: nothing static survives a call.
    ///
    /// # Errors
    ///
    /// Fails when the work could not be done at all. A finding is not a failure: report it as an item.
    fn produce(context: &Context) -> Result<(), Failure>;
}

/// Why a plugin could not do its work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure {
    /// The settings make no sense together.
    Configuration(String),
    /// A right is missing without which nothing can be said.
    Denied(String),
    /// The cluster did not answer.
    Unavailable(String),
    /// Any other reason.
    Other(String),
}

impl Failure {
    /// The settings make no sense together.
    pub fn configuration(message: impl Into<String>) -> Self {
        Self::Configuration(message.into())
    }

    /// A right is missing without which nothing can be said.
    pub fn denied(message: impl Into<String>) -> Self {
        Self::Denied(message.into())
    }

    /// The cluster did not answer.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::Unavailable(message.into())
    }

    /// Any other reason.
    pub fn other(message: impl Into<String>) -> Self {
        Self::Other(message.into())
    }

    /// Returns the reason in words.
    #[must_use]
    pub fn message(&self) -> &str {
        match self {
            Self::Configuration(message)
            | Self::Denied(message)
            | Self::Unavailable(message)
            | Self::Other(message) => message,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.message())
    }
}

impl std::error::Error for Failure {}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        match error {
            Error::Denied(_) => Self::Denied(message),
            Error::Unavailable(_) | Error::Expired => Self::Unavailable(message),
            _ => Self::Other(message),
        }
    }
}

impl From<crate::results::Error> for Failure {
    fn from(error: crate::results::Error) -> Self {
        Self::Other(error.to_string())
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::Other(error.to_string())
    }
}

impl From<crate::config::Error> for Failure {
    fn from(error: crate::config::Error) -> Self {
        Self::Configuration(error.to_string())
    }
}

/// Makes a component of a [`Producer`], and puts its manifest into it.
///
/// Use it once, at the root of a crate of type `cdylib`. The manifest's path is relative to the crate's
/// `Cargo.toml`; compiling fails when it is not there.
///
/// ```ignore
/// porthole_sdk::producer!(MyPlugin, manifest = "plugin.yaml");
/// ```
#[macro_export]
macro_rules! producer {
    ($plugin:ty, manifest = $manifest:literal) => {
        #[cfg(target_family = "wasm")]
        const _: () = {
            use $crate::__private::bindings;

            struct Component;

            impl bindings::exports::porthole::plugin::producer::Guest for Component {
                fn produce() -> Result<(), bindings::exports::porthole::plugin::producer::Failure> {
                    $crate::__private::produce::<$plugin>()
                }
            }

    bindings::export!(Component with_types_in bindings);

            const TEXT: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $manifest));

            #[used]
            #[unsafe(link_section = "porthole:manifest")]
            static MANIFEST: [u8; TEXT.len()] = *include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $manifest));
        };

        #[cfg(not(target_family = "wasm"))]
        const _: &[u8] = include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/", $manifest));
    };
}

#[cfg(target_family = "wasm")]
use crate::bindings::exports::porthole::plugin::producer as wit;

/// Runs a producer for the host.
#[cfg(target_family = "wasm")]
#[expect(clippy::missing_errors_doc, reason = "hidden; called by the macro alone")]
pub fn produce<P: Producer>() -> Result<(), wit::Failure> {
    P::produce(&Context::current()).map_err(|failure| match failure {
        Failure::Configuration(message) => wit::Failure::Configuration(message),
        Failure::Denied(message) => wit::Failure::Denied(message),
        Failure::Unavailable(message) => wit::Failure::Unavailable(message),
        Failure::Other(message) => wit::Failure::Other(message),
    })
}
