//! Plugins for tests, built from source for the sandbox.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Builds every package below `tests/guests` and returns the folder of their components.
pub(crate) fn build(workspace: &Path) -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("guests");
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(workspace).args(["build", "--quiet", "--target", "wasm32-wasip2", "--profile", "plugin"]);
    command.arg("--target-dir").arg(&target).env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS");
    for entry in std::fs::read_dir(workspace.join("tests/guests")).expect("the guests' folder").flatten() {
        command.arg("--package").arg(entry.file_name());
    }
    let status = command.status().expect("cargo starts");
    assert!(status.success(), "the guests could not be built; type: rustup target add wasm32-wasip2");
    target.join("wasm32-wasip2/plugin")
}
