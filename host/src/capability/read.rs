//! Reads: one object, and lists page by page.

use std::sync::Arc;

use bytes::Bytes;
use porthole_core::budget::ListMeter;
use porthole_core::grant::{AllowedFields, Verb};
use porthole_core::projection::Projection;
use porthole_core::resource::{ApiResource, ResourceType};
use porthole_core::selector::{FieldSelector, LabelSelector};

use super::audit::Call;
use super::error::CapabilityError;
use super::{Gate, Target};
use crate::cluster::{Cluster, ListQuery};

/// Objects in one page to a guest.
const PAGE_OBJECTS: u32 = 500;
/// Bytes of objects in one page to a guest; a page always holds at least one object.
const PAGE_BYTES: usize = 1 << 20;

/// Which part of an object a guest wants.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cut {
    /// Field paths to keep; empty for all that is granted.
    pub fields: Vec<String>,
    /// Field paths to leave out.
    pub omit: Vec<String>,
}

/// What a guest wants listed or watched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// One namespace, or `None` for all.
    pub namespace: Option<String>,
    /// A label selector; empty for all.
    pub label_selector: String,
    /// A field selector; empty for all.
    pub field_selector: String,
    /// Which part of each object.
    pub cut: Cut,
    /// Whether to ask the cluster anew.
    pub fresh: bool,
}

/// A list that a guest reads page by page.
pub struct Cursor {
    resource_type: ResourceType,
    query: ListQuery,
    projection: Projection,
    fresh: bool,
    waiting: std::vec::IntoIter<crate::cluster::Object>,
    remaining_after: Option<u64>,
    ended: bool,
    meter: ListMeter,
}

/// One page for a guest, already cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CutPage {
    /// The objects as JSON text.
    pub items: Vec<Vec<u8>>,
    /// How many more there are, where that is known.
    pub remaining: Option<u64>,
}

impl Gate {
    /// Reads one object.
    ///
    /// # Errors
    ///
    /// See [`CapabilityError`].
    pub async fn get(
        &self,
        resource_type: &ResourceType,
        namespace: Option<String>,
        name: String,
        cut: Cut,
    ) -> Result<Bytes, CapabilityError> {
        let call = Call::begin(self, "kubernetes", "get", describe(resource_type, namespace.as_deref(), &name));
        let read = async {
            let resolved = self.resolve(Verb::Get, resource_type, None, namespace.as_deref(), Some(&name)).await?;
            let projection = projection(&cut, &resolved.fields)?;
            let target = Target { resource_type: resolved.resource_type, namespace: namespace.clone(), name };
            if !self.shared.answers_locally(&target) {
                self.pace().await;
            }
            let object = self.shared.get(&target).await?;
            cut_object(&projection, object.json())
        };
        call.finish(read.await, |object| (1, object.len()))
    }

    /// Begins a list; nothing is read until the first page is asked for.
    ///
    /// # Errors
    ///
    /// See [`CapabilityError`].
    pub async fn list(&self, resource_type: &ResourceType, selection: Selection) -> Result<Cursor, CapabilityError> {
        let call = Call::begin(self, "kubernetes", "list", describe_selection(resource_type, &selection));
        call.finish(self.begin_list(Verb::List, resource_type, selection).await, |_| (0, 0))
    }

    pub(super) async fn begin_list(
        &self,
        verb: Verb,
        resource_type: &ResourceType,
        selection: Selection,
    ) -> Result<Cursor, CapabilityError> {
        LabelSelector::parse(&selection.label_selector).map_err(|error| invalid(&error))?;
        let fields = FieldSelector::parse(&selection.field_selector).map_err(|error| invalid(&error))?;
        let (namespace, name) = (selection.namespace.as_deref(), fields.exact_name());
        let resolved = self.resolve(verb, resource_type, None, namespace, name).await?;
        Ok(Cursor {
            resource_type: resolved.resource_type,
            projection: projection(&selection.cut, &resolved.fields)?,
            query: ListQuery {
                namespace: selection.namespace,
                label_selector: selection.label_selector,
                field_selector: selection.field_selector,
                limit: Some(PAGE_OBJECTS),
                continue_token: None,
            },
            fresh: selection.fresh,
            waiting: Vec::new().into_iter(),
            remaining_after: None,
            ended: false,
            meter: self.meter().list(),
        })
    }

    /// Returns the next page of a list, or `None` at its end.
    ///
    /// # Errors
    ///
    /// See [`CapabilityError`].
    pub async fn next_page(&self, cursor: &mut Cursor) -> Result<Option<CutPage>, CapabilityError> {
        let what = describe(&cursor.resource_type, cursor.query.namespace.as_deref(), "");
        let call = Call::begin(self, "kubernetes", "cursor.next", what);
        let page = self.read_page(cursor).await;
        call.finish(page, |page| {
            page.as_ref().map_or((0, 0), |page| (page.items.len(), page.items.iter().map(Vec::len).sum()))
        })
    }

    async fn read_page(&self, cursor: &mut Cursor) -> Result<Option<CutPage>, CapabilityError> {
        if cursor.waiting.len() == 0 {
            if cursor.ended {
                return Ok(None);
            }
            self.fetch(cursor).await?;
        }
        let (mut items, mut bytes) = (Vec::new(), 0);
        while bytes < PAGE_BYTES {
            let Some(object) = cursor.waiting.next() else { break };
            let object = cut_object(&cursor.projection, object.json())?;
            bytes += object.len();
            cursor.meter.object(length(object.len()))?;
            items.push(object.to_vec());
        }
        if items.is_empty() {
            return Ok(None);
        }
        let waiting = length(cursor.waiting.len());
        let remaining = cursor.remaining_after.map(|after| after.saturating_add(waiting));
        Ok(Some(CutPage { items, remaining }))
    }

    async fn fetch(&self, cursor: &mut Cursor) -> Result<(), CapabilityError> {
        // The shared state costs the API server one list per kind and run, whoever asks how often.
        if cursor.fresh {
            self.pace().await;
        }
        let source: &Arc<dyn Cluster> = if cursor.fresh { &self.cluster } else { &self.shared };
        let page = source.list(&cursor.resource_type, &cursor.query).await?;
        cursor.ended = page.continue_token.is_none();
        cursor.remaining_after = if cursor.ended { Some(0) } else { page.remaining };
        cursor.query.continue_token = page.continue_token;
        cursor.waiting = page.items.into_iter();
        Ok(())
    }

    /// Lists the kinds that the cluster serves.
    ///
    /// # Errors
    ///
    /// See [`CapabilityError`].
    pub async fn api_resources(&self) -> Result<Arc<[ApiResource]>, CapabilityError> {
        let call = Call::begin(self, "kubernetes", "api-resources", String::new());
        let read = self.cluster.api_resources().await.map_err(CapabilityError::from);
        call.finish(read, |resources| (resources.len(), 0))
    }

    /// Returns the server's version as JSON text.
    ///
    /// # Errors
    ///
    /// See [`CapabilityError`].
    pub async fn version(&self) -> Result<Bytes, CapabilityError> {
        let call = Call::begin(self, "kubernetes", "server-version", String::new());
        call.finish(self.shared.version().await.map_err(CapabilityError::from), |bytes| (1, bytes.len()))
    }

    /// Returns the server's API groups as JSON text.
    ///
    /// # Errors
    ///
    /// See [`CapabilityError`].
    pub async fn groups(&self) -> Result<Bytes, CapabilityError> {
        let call = Call::begin(self, "kubernetes", "server-groups", String::new());
        call.finish(self.shared.groups().await.map_err(CapabilityError::from), |bytes| (1, bytes.len()))
    }
}

impl Cursor {
    pub(super) fn into_parts(self) -> (ResourceType, ListQuery, Projection, ListMeter) {
        (self.resource_type, self.query, self.projection, self.meter)
    }
}

/// Cuts an object's text to what the guest may and wants to see.
pub(super) fn cut_object(projection: &Projection, json: &Bytes) -> Result<Bytes, CapabilityError> {
    if projection.keeps_everything() {
        return Ok(json.clone());
    }
    let mut cut = Vec::new();
    projection.apply(json, &mut cut).map_err(|error| CapabilityError::Unavailable(error.to_string()))?;
    Ok(cut.into())
}

fn projection(cut: &Cut, granted: &AllowedFields) -> Result<Projection, CapabilityError> {
    Projection::parse(&cut.fields, &cut.omit, granted).map_err(|error| invalid(&error))
}

pub(super) fn length(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(u64::MAX)
}

pub(super) fn invalid(error: &dyn std::error::Error) -> CapabilityError {
    CapabilityError::Invalid(error.to_string())
}

/// Names an access for the audit: `v1/pods shop/web-0`.
pub(super) fn describe(resource_type: &ResourceType, namespace: Option<&str>, name: &str) -> String {
    match (namespace, name) {
        (Some(namespace), "") => format!("{resource_type} -n {namespace}"),
        (Some(namespace), name) => format!("{resource_type} {namespace}/{name}"),
        (None, "") => resource_type.to_string(),
        (None, name) => format!("{resource_type} {name}"),
    }
}

pub(super) fn describe_selection(resource_type: &ResourceType, selection: &Selection) -> String {
    let mut text = describe(resource_type, selection.namespace.as_deref(), "");
    for (flag, selector) in [(" -l ", &selection.label_selector), (" --field-selector ", &selection.field_selector)] {
        if !selector.is_empty() {
            text.push_str(flag);
            text.push_str(selector);
        }
    }
    text
}
