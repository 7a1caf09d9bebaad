//! `porthole:plugin/kubernetes-types`: conversions that reading and writing share.

use porthole_bindings::porthole::plugin::kubernetes_types as wit;
use porthole_core::grant::Denial;
use porthole_core::resource::ResourceType;

use super::guest::Guest;
use crate::capability::{CapabilityError, Refusal};

impl wit::Host for Guest {}

pub(super) fn read_resource_type(resource_type: wit::ResourceType) -> ResourceType {
    ResourceType::new(resource_type.group, resource_type.version, resource_type.resource)
}

pub(super) fn write_resource_type(resource_type: &ResourceType) -> wit::ResourceType {
    let ResourceType { group, version, resource } = resource_type.clone();
    wit::ResourceType { group, version, resource }
}

pub(super) fn write_error(error: CapabilityError) -> wit::Error {
    match error {
        CapabilityError::Denied(denial) => wit::Error::Denied(write_denial(*denial)),
        CapabilityError::BudgetExceeded(exceeded) => {
            wit::Error::BudgetExceeded(wit::Budget { name: exceeded.name.to_owned(), value: exceeded.value })
        }
        CapabilityError::NotFound => wit::Error::NotFound,
        CapabilityError::NotServed(resource_type) => wit::Error::NotServed(write_resource_type(&resource_type)),
        CapabilityError::Invalid(what) => wit::Error::Invalid(what),
        CapabilityError::Conflict(refusal) => wit::Error::Conflict(write_status(refusal)),
        CapabilityError::Expired => wit::Error::Expired,
        CapabilityError::Refused(refusal) => wit::Error::Refused(write_status(refusal)),
        CapabilityError::Unavailable(what) => wit::Error::Unavailable(what),
        CapabilityError::Unsupported(what) => wit::Error::Unsupported(what),
    }
}

fn write_denial(denial: (Denial, String)) -> wit::Denial {
    let (denial, remedy) = denial;
    wit::Denial {
        verb: denial.verb.to_string(),
        group: denial.group,
        resource: denial.resource,
        namespace: denial.namespace,
        name: denial.name,
        remedy,
    }
}

fn write_status(refusal: Refusal) -> wit::Status {
    wit::Status { code: refusal.code, reason: refusal.reason, message: refusal.message }
}
