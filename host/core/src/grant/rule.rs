//! The rules by which requests and grants are written.

use std::fmt;

use serde::de::{MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize};

use super::Verb;

/// What a plugin asks for: `spec.requests` of its manifest. The default asks for nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct Requests {
    /// Access to Kubernetes objects.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kubernetes: Vec<KubernetesRule>,
    /// Outgoing HTTP requests.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub http: Vec<HttpRule>,
    /// Folders of the node, for plugins that run on one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub filesystem: Vec<FilesystemRule>,
    /// Variables of the host's environment.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<EnvironmentRule>,
    /// Commands outside the sandbox.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exec: Vec<ExecRule>,
    /// Placing files at the tarball's root; none means that it may not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub collect: Option<CollectRule>,
}

impl Requests {
    /// Whether nothing at all is asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Access to Kubernetes objects: any verb on any resource of any group in any scope that it lists.
///
/// The shape is that of RBAC's `PolicyRule`, and an empty list matches nothing, except in `names` and
/// `fields`, which only narrow.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct KubernetesRule {
    /// API groups; `""` is the core group, `*` all of them.
    pub api_groups: Vec<String>,
    /// Plural names, with a subresource where one is meant (`pods/log`); `*` is every resource but
    /// core `secrets`, and never a subresource.
    pub resources: Vec<String>,
    /// Verbs; `*` is all of them.
    pub verbs: Vec<Verb>,
    /// Namespaces. None covers cluster-scoped access only; `*` covers every scope.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub namespaces: Vec<String>,
    /// Names of objects; empty or `*` does not narrow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// Field paths that may be seen; empty or `*` does not narrow.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// What it is for, in the author's words, shown to the operator.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// Outgoing HTTP requests to one host.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HttpRule {
    /// The host's name or address, exactly as in the URL; never a pattern.
    pub host: String,
    /// The port; none is the default of the scheme.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// Methods in upper case; empty allows none, `*` all of them.
    #[serde(default)]
    pub methods: Vec<String>,
    /// What it is for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// What may be done in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FilesystemAccess {
    /// Files may be read.
    Read,
    /// Files may be read, made, changed and removed.
    Write,
}

/// A folder of the node.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FilesystemRule {
    /// The absolute path on the node.
    pub path: String,
    /// What may be done below it.
    pub access: FilesystemAccess,
    /// What it is for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// A variable of the host's environment. Also read from a plain string, its name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct EnvironmentRule {
    /// The variable's name.
    pub name: String,
    /// What it is for.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
}

impl<'de> Deserialize<'de> for EnvironmentRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase", deny_unknown_fields)]
        struct Full {
            name: String,
            #[serde(default)]
            why: String,
        }
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = EnvironmentRule;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("the name of a variable, or a map with `name` and `why`")
            }
            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Self::Value, E> {
                Ok(EnvironmentRule { name: name.to_owned(), why: String::new() })
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
                let Full { name, why } = Full::deserialize(MapAccessDeserializer::new(map))?;
                Ok(EnvironmentRule { name, why })
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// A command outside the sandbox. Exactly one of `command` and `script` is meant to be given; a rule
/// matches only what equals it whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ExecRule {
    /// The program and its arguments, compared word by word.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// Where a script comes from: a path, or an `https://` or `s3://` address.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// The script's digest, as `sha256:` and 64 hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// What it is for.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
}

/// Placing files at the tarball's root: `resources/`, `hosts/`, `podlogs/`, `serverversion.json` and
/// `servergroups.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct CollectRule {
    /// What it is for.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub why: String,
}
