//! The one door from a guest to the cluster.
//!
//! A [`Gate`] belongs to one guest. Every access goes through it: it asks the window (what the plugin
//! requested and the operator granted), then the budget, and only then the cluster; it cuts what comes
//! back to the granted fields before a byte is copied to the guest; and it writes an audit record,
//! whatever the outcome. There is no second path.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use porthole_core::budget::{BudgetExceeded, Meter};
use porthole_core::grant::Window;

use crate::cluster::Cluster;

mod access;
mod audit;
mod error;
mod logs;
mod read;
mod watch;
mod write;

pub use audit::{AuditError, AuditLog};
pub use error::{CapabilityError, Refusal};
pub use logs::LogStream;
pub use read::{Cursor, Cut, CutPage, Selection};
pub use watch::{ChangeKind, Watcher};
pub use write::{Change, Changed, WritePolicy};

pub use crate::cluster::{DeleteQuery, LogQuery, NodeEndpoint, NodeResponse, PatchType, Propagation, Target};

use audit::Call;

/// What a gate is made of.
pub struct GateSettings {
    /// The plugin's name, for the audit and for remedies.
    pub plugin: String,
    /// The target's name: `global` or a node.
    pub target: String,
    /// What the plugin requested and the operator granted.
    pub window: Window,
    /// What the plugin may use.
    pub meter: Meter,
    /// The state that all plugins of a run share.
    pub shared: Arc<dyn Cluster>,
    /// The cluster itself, for reads that must be fresh, for watches and for writes.
    pub cluster: Arc<dyn Cluster>,
    /// What becomes of writes.
    pub writes: WritePolicy,
    /// Where the records go.
    pub audit: Arc<AuditLog>,
}

/// The door of one guest.
pub struct Gate {
    plugin: String,
    target: String,
    window: Window,
    meter: Mutex<Meter>,
    shared: Arc<dyn Cluster>,
    cluster: Arc<dyn Cluster>,
    writes: WritePolicy,
    audit: Arc<AuditLog>,
    started: Instant,
}

impl Gate {
    /// Makes the door of one guest; its budget begins now.
    #[must_use]
    pub fn new(settings: GateSettings) -> Self {
        let GateSettings { plugin, target, window, meter, shared, cluster, writes, audit } = settings;
        Self {
            plugin,
            target,
            window,
            meter: Mutex::new(meter),
            shared,
            cluster,
            writes,
            audit,
            started: Instant::now(),
        }
    }

    /// Counts one host call of any interface.
    ///
    /// # Errors
    ///
    /// Fails when the plugin has used up its host calls.
    pub fn count_host_call(&self, interface: &'static str, function: &'static str) -> Result<(), BudgetExceeded> {
        let counted = self.meter().host_call();
        // Calls to the cluster write their own record, with what they were about.
        if !interface.starts_with("kubernetes") {
            let call = Call::begin(self, interface, function, String::new());
            match &counted {
                Ok(()) => call.allowed(0, 0),
                Err(exceeded) => call.over_budget(exceeded),
            }
        }
        counted
    }

    /// Returns whether the plugin may place files among the run's cluster data.
    #[must_use]
    pub fn may_collect(&self) -> bool {
        self.window.may_collect()
    }

    /// Returns what the operator would have to write to allow placing such files.
    #[must_use]
    pub fn collect_remedy(&self) -> String {
        if self.window.requests.collect.is_none() {
            return format!("the manifest of `{}` does not ask for `collect`, so no grant can allow it", self.plugin);
        }
        format!("add to the grant of `{}`: collect: {{}}", self.plugin)
    }

    fn meter(&self) -> std::sync::MutexGuard<'_, Meter> {
        // A meter is plain numbers; they stay true when a thread dies between two of them.
        self.meter.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
