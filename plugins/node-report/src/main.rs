//! Compares a node's kernel settings with what the kubelet wants.
//!
//! A plain `wasi:cli/command` program: it knows nothing of Porthole, only the contract that plugins of
//! Sonobuoy have. It reads `NODE_NAME` and the folders that it was given, writes its report below
//! `RESULTS_DIR` in Sonobuoy's manual format, and names it in `done`.

mod report;
mod settings;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs, io};

use report::render;
use settings::{SETTINGS, Verdict, judge};

/// Where kernel settings are, if the folder was granted.
const KERNEL: &str = "/proc/sys";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // The host keeps what is said here.
            let _ = io::Write::write_all(&mut io::stderr(), format!("node-report: {error}\n").as_bytes());
            ExitCode::FAILURE
        }
    }
}

fn run() -> io::Result<()> {
    let results = env::var_os("RESULTS_DIR").or_else(|| env::var_os("SONOBUOY_RESULTS_DIR")).map(PathBuf::from);
    let results = results.ok_or_else(|| io::Error::other("RESULTS_DIR is not set"))?;
    let node = env::var("NODE_NAME").unwrap_or_default();
    let granted = Path::new(KERNEL).is_dir();
    let verdicts: Vec<_> = SETTINGS
        .iter()
        .map(|setting| {
            let verdict = if granted {
                let value = fs::read_to_string(Path::new(KERNEL).join(setting.path()));
                judge(setting, value.map_err(|error| error.kind()))
            } else {
                Verdict::Skipped(format!("`{KERNEL}` of the node was not granted"))
            };
            (setting.name, verdict)
        })
        .collect();
    let report = results.join("report.yaml");
    fs::write(&report, render(&node, &verdicts))?;
    fs::write(results.join("done"), report.display().to_string())
}
