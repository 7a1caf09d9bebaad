//! Kubernetes and Linux networking as pure functions.
//!
//! The room for routes, netfilter, services, `NetworkPolicy`, the packet walk and its diagnoses
//! (design section 7). It is empty until the issue that builds them; it stands here so that the
//! packages and their layers are whole from the first day.
