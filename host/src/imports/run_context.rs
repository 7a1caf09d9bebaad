//! `porthole:plugin/run-context`.

use porthole_bindings::porthole::plugin::run_context::{Context, Host};

use super::guest::Guest;

impl Host for Guest {
    async fn get(&mut self) -> wasmtime::Result<Context> {
        self.host_call("run-context", "get")?;
        let context = self.context();
        Ok(Context {
            run_id: context.run_id.clone(),
            node_name: context.node_name.clone(),
            time_left_milliseconds: u64::try_from(context.time_left.as_millis()).unwrap_or(u64::MAX),
            attempt: context.attempt,
            idempotency_key: context.idempotency_key.clone(),
            dry_run: context.dry_run,
        })
    }
}
