//! `porthole:plugin/progress`.

use porthole_bindings::porthole::plugin::progress::{Host, Increment, State};

use super::guest::Guest;
use super::report::ProgressReport;

impl Host for Guest {
    async fn report(&mut self, state: State) -> wasmtime::Result<()> {
        self.host_call("progress", "report")?;
        let State { total, completed, message, failures, errors } = state;
        self.reporter().progress(ProgressReport::State { total, completed, message, failures, errors });
        Ok(())
    }

    async fn advance(&mut self, increment: Increment) -> wasmtime::Result<()> {
        self.host_call("progress", "advance")?;
        let Increment { completed, failures, add_to_total: total_grows, message } = increment;
        self.reporter().progress(ProgressReport::Increment { completed, failures, total_grows, message });
        Ok(())
    }
}
