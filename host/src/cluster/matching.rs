//! Which objects the selectors of a query choose, for those who answer lists themselves.

use porthole_core::resource::ResourceType;
use porthole_core::selector::{FieldSelector, LabelSelector};

use super::{ClusterError, ListQuery, Object};

/// Both selectors of a query, parsed and checked for the kind that is listed.
#[derive(Debug, Clone, Default)]
pub struct Matching {
    labels: LabelSelector,
    fields: FieldSelector,
}

impl Matching {
    /// Parses both selectors.
    ///
    /// # Errors
    ///
    /// [`ClusterError::Invalid`] with what is wrong, also for a field that no server selects this kind by.
    pub fn parse(resource_type: &ResourceType, query: &ListQuery) -> Result<Self, ClusterError> {
        let wrong = |error: porthole_core::selector::SelectorError| ClusterError::Invalid(error.to_string());
        let labels = LabelSelector::parse(&query.label_selector).map_err(wrong)?;
        let fields = FieldSelector::parse(&query.field_selector).map_err(wrong)?;
        fields.check(&resource_type.group, &resource_type.resource).map_err(wrong)?;
        Ok(Self { labels, fields })
    }

    /// Tells whether everything is chosen.
    #[must_use]
    pub fn is_everything(&self) -> bool {
        self.labels.is_empty() && self.fields.is_empty()
    }

    /// Tells whether an object is chosen; parses its text only for a field selector.
    #[must_use]
    pub fn chooses(&self, object: &Object) -> bool {
        self.chooses_labels(object) && self.chooses_fields(object)
    }

    /// Tells whether the label selector chooses an object; its text is not needed.
    #[must_use]
    pub fn chooses_labels(&self, object: &Object) -> bool {
        self.labels.matches(object.labels())
    }

    /// Tells whether the field selector chooses an object.
    #[must_use]
    pub fn chooses_fields(&self, object: &Object) -> bool {
        self.fields.is_empty() || self.fields.matches(&object.value().unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(fields: &str) -> Result<Matching, ClusterError> {
        let query = ListQuery {
            label_selector: "app=web".to_owned(),
            field_selector: fields.to_owned(),
            ..ListQuery::default()
        };
        Matching::parse(&ResourceType::new("", "v1", "pods"), &query)
    }

    #[test]
    fn both_selectors_must_choose() {
        let pod = |app: &str, phase: &str| {
            let value =
                serde_json::json!({"metadata": {"name": "a", "labels": {"app": app}}, "status": {"phase": phase}});
            Object::from_value(&value).expect("an object")
        };
        let matching = parse("status.phase=Running").expect("valid");
        assert!(matching.chooses(&pod("web", "Running")));
        assert!(!matching.chooses(&pod("db", "Running")));
        assert!(!matching.chooses(&pod("web", "Pending")));
    }

    #[test]
    fn a_field_that_the_server_does_not_know_is_refused() {
        assert!(matches!(parse("spec.image=x"), Err(ClusterError::Invalid(_))));
    }
}
