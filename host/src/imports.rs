//! Host functions: what a guest may call, one file per WIT interface.
//!
//! They convert types and hand over: reads and writes of the cluster to `capability`, reports to a
//! [`Reporter`]. They decide nothing, and they do not know `cluster`.

use porthole_bindings::porthole::plugin as wit;
use wasmtime::component::{HasSelf, Linker};

mod config;
mod guest;
mod kubernetes;
mod kubernetes_types;
mod kubernetes_write;
mod log;
mod progress;
mod report;
mod results;
mod run_context;

pub use guest::{Folder, FolderAccess, Guest, GuestSettings};
pub use report::{
    CallContext, LogLevel, LogLine, Placement, ProgressReport, ReportError, ReportFile, ReportedItem, ReportedStatus,
    Reporter,
};

/// Offers every interface of `porthole:plugin`, and WASI 0.2 without sockets and without anything
/// that [`GuestSettings`] does not name.
///
/// # Errors
///
/// Fails only when two interfaces have one name, which is a bug.
pub fn link(linker: &mut Linker<Guest>) -> wasmtime::Result<()> {
    wasmtime_wasi::p2::add_to_linker_async(linker)?;
    wit::log::add_to_linker::<_, HasSelf<Guest>>(linker, |guest| guest)?;
    wit::config::add_to_linker::<_, HasSelf<Guest>>(linker, |guest| guest)?;
    wit::run_context::add_to_linker::<_, HasSelf<Guest>>(linker, |guest| guest)?;
    wit::progress::add_to_linker::<_, HasSelf<Guest>>(linker, |guest| guest)?;
    wit::results::add_to_linker::<_, HasSelf<Guest>>(linker, |guest| guest)?;
    wit::kubernetes_types::add_to_linker::<_, HasSelf<Guest>>(linker, |guest| guest)?;
    wit::kubernetes::add_to_linker::<_, HasSelf<Guest>>(linker, |guest| guest)?;
    wit::kubernetes_write::add_to_linker::<_, HasSelf<Guest>>(linker, |guest| guest)?;
    Ok(())
}
