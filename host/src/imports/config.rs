//! `porthole:plugin/config`.

use porthole_bindings::porthole::plugin::config::Host;

use super::guest::Guest;

impl Host for Guest {
    async fn get(&mut self) -> wasmtime::Result<String> {
        self.host_call("config", "get")?;
        Ok(self.config().to_owned())
    }
}
