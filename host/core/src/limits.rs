//! The bounds on a plugin, their defaults, and how plugin and operator change them.

mod defaults;
mod partial;
mod quantity;

use std::time::Duration;

pub use defaults::*;
pub use partial::{Kept, OperatorLimits, PluginLimits};
pub use quantity::{Bytes, Count, QuantityError, Span};

/// Every bound on one plugin, with its value.
///
/// Who enforces what: `engine` (`memory`, `cpu`, `resources`), `plugin` (`timeout`, `component`, `compile_time`,
/// `manifest`), `capability` by way of the budget's meter (`host_calls`, `api_requests_per_second`, `list_bytes`,
/// `list_objects`, `watches`), and `imports` (`output_file`, `output`, `files`, `items`, `item_details`,
/// `log_lines`, `log_line`, `http_body`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Linear memory and tables of one instance, in bytes: [`MEMORY`], [`PRODUCER_MEMORY`].
    pub memory: u64,
    /// Time on the processor in one call: [`CPU`].
    pub cpu: Duration,
    /// Time on the wall for one call, with waiting: [`TIMEOUT`].
    pub timeout: Duration,
    /// Calls of host functions: [`HOST_CALLS`].
    pub host_calls: u64,
    /// Requests to the API server per second: [`API_REQUESTS_PER_SECOND`].
    pub api_requests_per_second: u64,
    /// Bytes of one list: [`LIST_BYTES`].
    pub list_bytes: u64,
    /// Objects of one list: [`LIST_OBJECTS`].
    pub list_objects: u64,
    /// Watches that are open at once: [`WATCHES`].
    pub watches: u64,
    /// Bytes of one file of results: [`OUTPUT_FILE`].
    pub output_file: u64,
    /// Bytes of all results, files and items: [`OUTPUT`].
    pub output: u64,
    /// Number of files of results: [`FILES`].
    pub files: u64,
    /// Number of items: [`ITEMS`].
    pub items: u64,
    /// Bytes of the details of one item: [`ITEM_DETAILS`].
    pub item_details: u64,
    /// Lines of log: [`LOG_LINES`].
    pub log_lines: u64,
    /// Bytes of one line of log: [`LOG_LINE`].
    pub log_line: u64,
    /// Resources that the guest holds at once: [`RESOURCES`].
    pub resources: u64,
    /// Bytes of one HTTP body: [`HTTP_BODY`].
    pub http_body: u64,
    /// Bytes of the component's file: [`COMPONENT`].
    pub component: u64,
    /// Time to compile the component: [`COMPILE_TIME`].
    pub compile_time: Duration,
    /// Bytes of the manifest: [`MANIFEST`].
    pub manifest: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            memory: MEMORY,
            cpu: CPU,
            timeout: TIMEOUT,
            host_calls: HOST_CALLS,
            api_requests_per_second: API_REQUESTS_PER_SECOND,
            list_bytes: LIST_BYTES,
            list_objects: LIST_OBJECTS,
            watches: WATCHES,
            output_file: OUTPUT_FILE,
            output: OUTPUT,
            files: FILES,
            items: ITEMS,
            item_details: ITEM_DETAILS,
            log_lines: LOG_LINES,
            log_line: LOG_LINE,
            resources: RESOURCES,
            http_body: HTTP_BODY,
            component: COMPONENT,
            compile_time: COMPILE_TIME,
            manifest: MANIFEST,
        }
    }
}

impl Limits {
    /// Returns the defaults for a producer, which differ from the others in memory.
    #[must_use]
    pub fn for_producer() -> Self {
        Self { memory: PRODUCER_MEMORY, ..Self::default() }
    }
}

#[cfg(test)]
mod tests;
