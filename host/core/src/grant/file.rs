//! The grants file, in which the operator says which plugin may do what.

use std::fmt;

use serde::de::{Error, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::field_path::FieldPath;
use crate::limits::OperatorLimits;

use super::access::{is_label, is_object_name, is_subdomain};
use super::{CollectRule, EnvironmentRule, ExecRule, FilesystemRule, HttpRule, KubernetesRule, Requests, Verb};

/// Largest grants file, in bytes. Without it, a wrong path given as grants file fills the host's memory.
pub const MAX_GRANTS_BYTES: usize = 4 * 1024 * 1024;

/// What was granted: the same shape as what is asked for.
pub type Grants = Requests;

/// Why a grants file was not understood. Says line and column where the text shows them.
#[derive(Debug, thiserror::Error)]
pub enum GrantsError {
    /// Larger than [`MAX_GRANTS_BYTES`].
    #[error("the grants file has {0} bytes; at most {MAX_GRANTS_BYTES} are read")]
    TooLarge(usize),
    /// Not YAML, or not of the shape of a grants file.
    #[error("the grants file is wrong: {0}")]
    Syntax(#[from] serde_yaml::Error),
    /// Two grants for the same plugin and digest; it would be a matter of chance which one holds.
    #[error("the grants file has two grants for plugin `{0}`; write all its rules into one, or bind each to a digest")]
    Twice(String),
}

/// What one plugin was granted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PluginGrant {
    /// The plugin's name.
    pub plugin: String,
    /// The digest of the component that was approved, as `sha256:` and 64 hexadecimal digits; none for every version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// Access to Kubernetes objects.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "checked_rules")]
    pub kubernetes: Vec<KubernetesRule>,
    /// Outgoing HTTP requests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub http: Vec<HttpRule>,
    /// Folders of the node.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filesystem: Vec<FilesystemRule>,
    /// Variables of the host's environment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<EnvironmentRule>,
    /// Commands outside the sandbox.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exec: Vec<ExecRule>,
    /// Placing files at the tarball's root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collect: Option<CollectRule>,
    /// Bounds, lower or higher than the defaults.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<OperatorLimits>,
}

impl PluginGrant {
    /// Returns the grant that gives a plugin exactly what it asks for.
    #[must_use]
    pub fn from_requests(plugin: &str, digest: Option<&str>, requests: &Requests) -> Self {
        let Requests { kubernetes, http, filesystem, environment, exec, collect } = Grants::from_requests(requests);
        let (plugin, digest) = (plugin.to_owned(), digest.map(str::to_owned));
        Self { plugin, digest, kubernetes, http, filesystem, environment, exec, collect, limits: None }
    }

    /// Returns its rules alone.
    #[must_use]
    pub fn grants(&self) -> Grants {
        Grants {
            kubernetes: self.kubernetes.clone(),
            http: self.http.clone(),
            filesystem: self.filesystem.clone(),
            environment: self.environment.clone(),
            exec: self.exec.clone(),
            collect: self.collect.clone(),
        }
    }
}

impl Grants {
    /// Returns grants of exactly what is asked for, for `--grant-requested`. Includes `exec` rules.
    #[must_use]
    pub fn from_requests(requests: &Requests) -> Self {
        requests.clone()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum ApiVersion {
    #[serde(rename = "porthole.dev/v1alpha1")]
    V1Alpha1,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Kind {
    Grants,
}

/// A grants file: `apiVersion: porthole.dev/v1alpha1`, `kind: Grants`, and a grant per plugin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GrantsFile {
    api_version: ApiVersion,
    kind: Kind,
    /// The grants; at most one per plugin and digest.
    #[serde(default)]
    pub grants: Vec<PluginGrant>,
}

impl GrantsFile {
    /// Returns a file of these grants.
    #[must_use]
    pub fn new(grants: Vec<PluginGrant>) -> Self {
        Self { api_version: ApiVersion::V1Alpha1, kind: Kind::Grants, grants }
    }

    /// Reads a file's text.
    ///
    /// # Errors
    ///
    /// When it is too large, not YAML, not of this shape, has a rule that could never match, or two
    /// grants for one plugin and digest.
    pub fn parse(text: &str) -> Result<Self, GrantsError> {
        if text.len() > MAX_GRANTS_BYTES {
            return Err(GrantsError::TooLarge(text.len()));
        }
        let file: Self = serde_yaml::from_str(text)?;
        let mut seen = std::collections::BTreeSet::new();
        match file.grants.iter().find(|grant| !seen.insert((&grant.plugin, &grant.digest))) {
            Some(grant) => Err(GrantsError::Twice(grant.plugin.clone())),
            None => Ok(file),
        }
    }

    /// Returns the grant for a plugin: the one bound to this digest, else the one bound to none.
    #[must_use]
    pub fn grant_for(&self, plugin: &str, digest: &str) -> Option<&PluginGrant> {
        let of_plugin = || self.grants.iter().filter(|grant| grant.plugin == plugin);
        of_plugin()
            .find(|grant| grant.digest.as_deref() == Some(digest))
            .or_else(|| of_plugin().find(|grant| grant.digest.is_none()))
    }
}

/// The texts of a list, each checked where it stands, so that an error points there.
struct Checked {
    expecting: &'static str,
    fits: fn(&str) -> bool,
    empty: Result<(), &'static str>,
}

impl<'de> Visitor<'de> for Checked {
    type Value = Vec<String>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "a list of {}", self.expecting)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut texts = Vec::new();
        while let Some(text) = list.next_element::<String>()? {
            if text != "*" && !(self.fits)(&text) {
                let expecting = self.expecting;
                return Err(A::Error::custom(format!("`{text}` can never match; expected {expecting}")));
            }
            texts.push(text);
        }
        match self.empty {
            Err(reason) if texts.is_empty() => Err(A::Error::custom(reason)),
            _ => Ok(texts),
        }
    }
}

const EMPTY_NARROWING: &str =
    "an empty list would leave nothing; leave it out, or write `[\"*\"]`, if it is not to narrow";
const EMPTY_MATCH: &str = "an empty list matches nothing; write what is granted, or `[\"*\"]` for all";

macro_rules! checked_list {
    ($($name:ident: $expecting:literal, $empty:expr, $fits:expr;)*) => {$(
        fn $name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
            deserializer.deserialize_seq(Checked { expecting: $expecting, fits: $fits, empty: $empty })
        }
    )*};
}
checked_list! {
    groups: "API groups such as `apps`, `\"\"` for the core group, or `*`", Err(EMPTY_MATCH),
        |text| text.is_empty() || is_subdomain(text);
    resources: "lower-case plural names such as `pods`, with a whole subresource as in `pods/log`, or `*`", Err(EMPTY_MATCH),
        |text| text.split('/').count() <= 2 && text.split('/').all(is_label);
    namespaces: "namespaces such as `kube-system`, or `*`", Ok(()), is_label;
    names: "names of objects, or `*`", Err(EMPTY_NARROWING), is_object_name;
    fields: "field paths such as `spec.containers.image`, or `*`", Err(EMPTY_NARROWING),
        |text| text.parse::<FieldPath>().is_ok();
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct CheckedRule {
    #[serde(deserialize_with = "groups")]
    api_groups: Vec<String>,
    #[serde(deserialize_with = "resources")]
    resources: Vec<String>,
    verbs: Vec<Verb>,
    #[serde(default, deserialize_with = "namespaces")]
    namespaces: Vec<String>,
    #[serde(default, deserialize_with = "names")]
    names: Vec<String>,
    #[serde(default, deserialize_with = "fields")]
    fields: Vec<String>,
    #[serde(default)]
    why: String,
}

fn checked_rules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<KubernetesRule>, D::Error> {
    let rules = Vec::<CheckedRule>::deserialize(deserializer)?;
    let plain = |rule: CheckedRule| {
        let CheckedRule { api_groups, resources, verbs, namespaces, names, fields, why } = rule;
        KubernetesRule { api_groups, resources, verbs, namespaces, names, fields, why }
    };
    Ok(rules.into_iter().map(plain).collect())
}
