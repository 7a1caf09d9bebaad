//! The data of one guest's store: everything that its host functions can reach.

use std::path::PathBuf;
use std::sync::Arc;

use wasmtime::component::{Resource, ResourceTable};
use wasmtime::format_err;
use wasmtime_wasi::{FsPerms, WasiCtx, WasiCtxView, WasiView};

use super::report::{CallContext, Reporter};
use crate::capability::Gate;
use crate::engine::{Bounded, BoundedOutput, Bounds, StopReason};

/// Bytes of randomness that one call may ask for. Without the bound a guest could make the host
/// allocate and fill gigabytes.
const RANDOM_BYTES: u64 = 1 << 20;

/// A folder of the host that a guest may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// Where it is on the host.
    pub host_path: PathBuf,
    /// Where the guest sees it, absolute.
    pub guest_path: String,
    /// What the guest may do with it.
    pub access: FolderAccess,
}

/// What a guest may do with a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolderAccess {
    /// Read files and list folders.
    Read,
    /// Also make, change and remove them.
    Write,
}

/// What one guest gets. Nothing that is not named here is reachable.
pub struct GuestSettings {
    /// The door to the cluster.
    pub gate: Arc<Gate>,
    /// Where its reports go.
    pub reporter: Arc<dyn Reporter>,
    /// Its settings as JSON text.
    pub config: String,
    /// The terms of the call.
    pub context: CallContext,
    /// Its memory, processor time and wall clock.
    pub bounds: Bounds,
    /// Resources that it may hold at once, such as cursors and files.
    pub resources: usize,
    /// Where its standard output goes.
    pub stdout: BoundedOutput,
    /// Where its standard error goes.
    pub stderr: BoundedOutput,
    /// Its environment, whole.
    pub environment: Vec<(String, String)>,
    /// Its arguments; the first is its own name.
    pub arguments: Vec<String>,
    /// Its folders.
    pub folders: Vec<Folder>,
}

/// The data of one guest's store.
pub struct Guest {
    wasi: WasiCtx,
    table: ResourceTable,
    bounds: Bounds,
    gate: Arc<Gate>,
    reporter: Arc<dyn Reporter>,
    config: String,
    context: CallContext,
}

impl Guest {
    /// Makes the data for one guest.
    ///
    /// # Errors
    ///
    /// Fails when a granted folder cannot be opened.
    pub fn new(settings: GuestSettings) -> wasmtime::Result<Self> {
        let mut wasi = WasiCtx::builder();
        wasi.stdout(settings.stdout)
            .stderr(settings.stderr)
            .envs(&settings.environment)
            .args(&settings.arguments)
            .max_random_size(RANDOM_BYTES)
            .allow_tcp(false)
            .allow_udp(false)
            .allow_ip_name_lookup(false);
        for folder in &settings.folders {
            let permissions = match folder.access {
                FolderAccess::Read => FsPerms::ReadOnly,
                FolderAccess::Write => FsPerms::ReadWrite,
            };
            wasi.preopened_dir(&folder.host_path, &folder.guest_path, permissions)
                .map_err(|error| format_err!("folder `{}`: {error:#}", folder.host_path.display()))?;
        }
        let mut table = ResourceTable::new();
        table.set_max_capacity(settings.resources);
        Ok(Self {
            wasi: wasi.build(),
            table,
            bounds: settings.bounds,
            gate: settings.gate,
            reporter: settings.reporter,
            config: settings.config,
            context: settings.context,
        })
    }

    /// Counts a host call; every host function begins with it.
    ///
    /// # Errors
    ///
    /// Stops the guest when it has used up its host calls.
    pub(super) fn host_call(&mut self, interface: &'static str, function: &'static str) -> wasmtime::Result<()> {
        self.gate.count_host_call(interface, function).map_err(|exceeded| {
            let reason = StopReason::Budget { name: exceeded.name, limit: exceeded.value };
            let error = format_err!("{reason}");
            self.bounds.stop(reason);
            error
        })
    }

    pub(super) fn gate(&self) -> &Arc<Gate> {
        &self.gate
    }

    pub(super) fn reporter(&self) -> &dyn Reporter {
        &*self.reporter
    }

    pub(super) fn config(&self) -> &str {
        &self.config
    }

    pub(super) fn context(&self) -> &CallContext {
        &self.context
    }

    /// Puts a host value into the guest's table and names it by the WIT resource `W`.
    ///
    /// # Errors
    ///
    /// Stops the guest when its table is full.
    pub(super) fn own<H: Send + 'static, W: 'static>(&mut self, value: H) -> wasmtime::Result<Resource<W>> {
        let handle = self.table.push(value).map_err(|error| {
            self.bounds.stop(StopReason::Host { what: format!("its table of resources: {error}") });
            error
        })?;
        Ok(Resource::new_own(handle.rep()))
    }

    /// Returns the host value behind a WIT resource.
    ///
    /// # Errors
    ///
    /// Stops the guest when the handle is not one of this kind.
    pub(super) fn lent<H: Send + 'static, W: 'static>(&mut self, handle: &Resource<W>) -> wasmtime::Result<&mut H> {
        Ok(self.table.get_mut(&Resource::<H>::new_borrow(handle.rep()))?)
    }

    /// Drops the host value behind a WIT resource.
    ///
    /// # Errors
    ///
    /// Stops the guest when the handle is not one of this kind.
    pub(super) fn dispose<H: Send + 'static, W: 'static>(&mut self, handle: &Resource<W>) -> wasmtime::Result<()> {
        self.table.delete(Resource::<H>::new_own(handle.rep()))?;
        Ok(())
    }
}

impl Bounded for Guest {
    fn bounds(&mut self) -> &mut Bounds {
        &mut self.bounds
    }
}

impl WasiView for Guest {
    fn ctx(&mut self) -> WasiCtxView<'_> {
        WasiCtxView { ctx: &mut self.wasi, table: &mut self.table }
    }
}
