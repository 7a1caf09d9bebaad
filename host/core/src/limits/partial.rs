//! What a plugin and an operator say about bounds, and what comes of it.

use std::fmt::Display;

use serde::{Deserialize, Serialize};

use super::{Bytes, Count, Limits, Span};

/// A plugin asked for more than the operator's value; the operator's value was kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{name}: {asked}` is more than the {kept} that the operator allows, so it stays {kept}; to raise it, set `limits.{name}` in the plugin's grant"
)]
pub struct Kept {
    /// The name of the bound, as in the manifest.
    pub name: &'static str,
    /// What the plugin asked for.
    pub asked: String,
    /// What it gets.
    pub kept: String,
}

fn lower<T: Ord + Copy + Display>(name: &'static str, current: T, asked: Option<T>, kept: &mut Vec<Kept>) -> T {
    match asked {
        Some(asked) if asked > current => {
            kept.push(Kept { name, asked: asked.to_string(), kept: current.to_string() });
            current
        }
        Some(asked) => asked,
        None => current,
    }
}

macro_rules! partial {
    ($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident / $key:literal: $kind:ident,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct $name {
            $(
                #[doc = concat!("`", $key, "`: see [`Limits::", stringify!($field), "`].")]
                #[serde(rename = $key, skip_serializing_if = "Option::is_none")]
                pub $field: Option<$kind>,
            )*
        }

        impl $name {
            /// The names that may be written, in the order of the documentation.
            pub const NAMES: &'static [&'static str] = &[$($key),*];

            /// Whether nothing is said.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                *self == Self::default()
            }
        }
    };
}

macro_rules! lowering {
    ($($field:ident / $key:literal: $kind:ident,)*) => {
        fn lower_all(limits: &mut Limits, plugin: &PluginLimits) -> Vec<Kept> {
            let mut kept = Vec::new();
            $(limits.$field = lower($key, $kind(limits.$field), plugin.$field, &mut kept).0;)*
            kept
        }
    };
}

macro_rules! replacing {
    ($($field:ident / $key:literal: $kind:ident,)*) => {
        fn replace_all(limits: &mut Limits, operator: &OperatorLimits) {
            $(if let Some(value) = operator.$field { limits.$field = value.0; })*
        }
    };
}

macro_rules! both {
    ({$($shared:tt)*} {$($host:tt)*}) => {
        lowering! { $($shared)* }
        replacing! { $($shared)* $($host)* }

        partial! {
            /// `spec.limits` of a manifest: what a plugin says about its own bounds. It may only lower them.
            ///
            /// Bounds that apply before the manifest is read (`component`, `compileTime`, `manifest`) are not here.
            PluginLimits { $($shared)* }
        }
        partial! {
            /// `limits` in a grant or the configuration: what an operator says. It may lower and raise.
            OperatorLimits { $($shared)* $($host)* }
        }
    };
}
both! {
    {
        memory / "memory": Bytes,
        cpu / "cpu": Span,
        timeout / "timeout": Span,
        host_calls / "hostCalls": Count,
        api_requests_per_second / "apiRequestsPerSecond": Count,
        list_bytes / "listBytes": Bytes,
        list_objects / "listObjects": Count,
        watches / "watches": Count,
        output_file / "outputFile": Bytes,
        output / "output": Bytes,
        files / "files": Count,
        items / "items": Count,
        item_details / "itemDetails": Bytes,
        log_lines / "logLines": Count,
        log_line / "logLine": Bytes,
        resources / "resources": Count,
        http_body / "httpBody": Bytes,
    }
    {
        component / "component": Bytes,
        compile_time / "compileTime": Span,
        manifest / "manifest": Bytes,
    }
}

impl Limits {
    /// Returns these bounds with those lowered that the plugin asks to lower, and what it asked to raise in vain.
    #[must_use]
    pub fn lowered_by(mut self, plugin: &PluginLimits) -> (Self, Vec<Kept>) {
        let kept = lower_all(&mut self, plugin);
        (self, kept)
    }

    /// Returns these bounds with the operator's values in place of the defaults, lower or higher.
    #[must_use]
    pub fn overridden_by(mut self, operator: &OperatorLimits) -> Self {
        replace_all(&mut self, operator);
        self
    }
}
