//! Why an access gave nothing.

/// The grant that was missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Denial {
    /// The verb, such as `list`.
    pub verb: String,
    /// The API group; empty for the core group.
    pub group: String,
    /// The resource, with its subresource where one was meant.
    pub resource: String,
    /// The namespace; empty for cluster-scoped objects, `*` for all namespaces.
    pub namespace: String,
    /// The object's name; empty when none was named.
    pub name: String,
    /// What the operator would have to do to allow it.
    pub remedy: String,
}

/// What the API server answered when it refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// The HTTP status code.
    pub code: u16,
    /// The machine-readable reason, such as `Forbidden`; may be empty.
    pub reason: String,
    /// The text for people.
    pub message: String,
}

/// Why an access gave nothing. None of these stops a plugin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The operator did not grant it; the cluster was not asked.
    #[error("may not {} `{}`: {}", .0.verb, .0.resource, .0.remedy)]
    Denied(Box<Denial>),
    /// The plugin has used up what it may use.
    #[error("the bound `{name}` of {value} is used up")]
    BudgetExceeded {
        /// The bound's name, as in `spec.limits` of the manifest.
        name: String,
        /// Its value.
        value: u64,
    },
    /// There is no such object.
    #[error("there is no such object")]
    NotFound,
    /// The cluster does not serve this kind.
    #[error("the cluster does not serve `{0}`")]
    NotServed(String),
    /// The request makes no sense.
    #[error("{0}")]
    Invalid(String),
    /// The write conflicts with an existing object or another writer's fields.
    #[error("conflict: {}", .0.message)]
    Conflict(Status),
    /// The list or watch is too old to go on; start again.
    #[error("the list is too old to go on")]
    Expired,
    /// The API server refused; a 403 is here.
    #[error("the API server refused ({}): {}", .0.code, .0.message)]
    Refused(Status),
    /// The cluster did not answer.
    #[error("{0}")]
    Unavailable(String),
    /// This cluster cannot answer such a question, for instance because it is a snapshot without logs.
    #[error("{0}")]
    Unsupported(String),
    /// The object is not what the plugin expects.
    #[error("an object does not fit the plugin's type: {0}")]
    Malformed(String),
}
