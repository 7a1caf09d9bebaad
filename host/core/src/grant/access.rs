//! What a plugin is about to do to the cluster.

use std::fmt;

use super::Verb;

/// Longest name of an object or group, in bytes: Kubernetes' own bound for a DNS subdomain.
const MAX_NAME_BYTES: usize = 253;
/// Longest name of a namespace, resource or subresource, in bytes: Kubernetes' own bound for a DNS label.
const MAX_LABEL_BYTES: usize = 63;

/// Where an access reaches.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Scope {
    /// Objects outside namespaces.
    Cluster,
    /// A collection over all namespaces.
    AllNamespaces,
    /// One namespace.
    Namespace(String),
}

impl Scope {
    /// Returns the namespace; empty for cluster scope and `*` for all namespaces.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Cluster => "",
            Self::AllNamespaces => "*",
            Self::Namespace(namespace) => namespace,
        }
    }
}

/// What a plugin is about to do. Nothing in it is trusted: see [`Access::is_well_formed`].
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Access {
    /// What is done.
    pub verb: Verb,
    /// The API group; empty for the core group.
    pub group: String,
    /// The plural name, without subresource.
    pub resource: String,
    /// The subresource, such as `log`.
    pub subresource: Option<String>,
    /// Where.
    pub scope: Scope,
    /// The object. For a collection: the one that its field selector `metadata.name=` names.
    pub name: Option<String>,
}

impl Access {
    /// Whether the API server could take it as what it says: lower-case plural names, one namespace, and a
    /// name that is one path segment. What is not well-formed is always denied, because it would mean
    /// something else once it is part of a URL (`pods/exec` as a resource, `../secrets` or an empty text as a name).
    ///
    /// Names are narrower than Kubernetes' `IsValidPathSegmentName`: only visible ASCII, so that a name
    /// in the audit is the name that was meant.
    #[must_use]
    pub fn is_well_formed(&self) -> bool {
        let one_object = matches!(self.verb, Verb::Get | Verb::Update | Verb::Patch | Verb::Delete);
        self.verb != Verb::All
            && (!one_object || self.name.is_some())
            && !(one_object && self.scope == Scope::AllNamespaces)
            && (self.group.is_empty() || is_subdomain(&self.group))
            && is_label(&self.resource)
            && self.subresource.as_deref().is_none_or(is_label)
            && self.name.as_deref().is_none_or(is_object_name)
            && match &self.scope {
                Scope::Namespace(namespace) => is_label(namespace),
                Scope::Cluster | Scope::AllNamespaces => true,
            }
    }

    /// Returns `resource` or `resource/subresource`, as rules write it.
    #[must_use]
    pub fn full_resource(&self) -> String {
        match &self.subresource {
            Some(subresource) => format!("{}/{subresource}", self.resource),
            None => self.resource.clone(),
        }
    }
}

/// As in `list apps/deployments -n shop`, `get pods/log web-1 -n shop` or `list secrets -A`.
impl fmt::Display for Access {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} ", self.verb)?;
        if !self.group.is_empty() {
            write!(formatter, "{}/", self.group)?;
        }
        formatter.write_str(&self.full_resource())?;
        if let Some(name) = &self.name {
            write!(formatter, " {name}")?;
        }
        match &self.scope {
            Scope::Cluster => Ok(()),
            Scope::AllNamespaces => formatter.write_str(" -A"),
            Scope::Namespace(namespace) => write!(formatter, " -n {namespace}"),
        }
    }
}

/// Whether the text is a DNS label (RFC 1123).
pub(super) fn is_label(text: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    text.len() <= MAX_LABEL_BYTES
        && text.bytes().all(|byte| inner(byte) || byte == b'-')
        && text.bytes().next().is_some_and(inner)
        && text.bytes().last().is_some_and(inner)
}

/// Whether the text is a DNS subdomain (RFC 1123).
pub(super) fn is_subdomain(text: &str) -> bool {
    text.len() <= MAX_NAME_BYTES && text.split('.').all(is_label)
}

/// Whether the text can be an object's name and one segment of a URL.
pub(super) fn is_object_name(text: &str) -> bool {
    !matches!(text, "" | "." | "..")
        && text.len() <= MAX_NAME_BYTES
        && text.bytes().all(|byte| byte.is_ascii_graphic() && !b"/\\%?#*".contains(&byte))
}
