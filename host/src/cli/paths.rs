//! Where things are on this machine: state, cache, and the folders of plugins.

use std::path::PathBuf;

use porthole_core::exit_code::ExitCode;

use super::error::CliError;

/// Returns where runs keep their folders: `$PORTHOLE_STATE_DIR`, else by the XDG rules.
pub(super) fn state() -> Result<PathBuf, CliError> {
    of_user("PORTHOLE_STATE_DIR", "XDG_STATE_HOME", ".local/state")
}

/// Returns where compiled code is kept: `$PORTHOLE_CACHE_DIR`, else by the XDG rules.
pub(super) fn cache() -> Result<PathBuf, CliError> {
    Ok(of_user("PORTHOLE_CACHE_DIR", "XDG_CACHE_HOME", ".cache")?.join("compiled"))
}

/// Returns the folders where plugins are looked for, in this order.
pub(super) fn plugin_search_path() -> Vec<PathBuf> {
    let of_home = home().map(|home| home.join(".porthole/plugins.d"));
    let fixed = [Some(PathBuf::from("/etc/porthole/plugins.d")), of_home, Some(PathBuf::from("plugins.d"))];
    fixed.into_iter().flatten().collect()
}

/// Returns the operator's standing grants file, if there is one.
pub(super) fn grants() -> Option<PathBuf> {
    let path = home()?.join(".porthole/grants.yaml");
    path.is_file().then_some(path)
}

/// Returns the usual kubeconfig of this user, if there is one.
pub(super) fn kubeconfig() -> Option<PathBuf> {
    let path = home()?.join(".kube/config");
    path.is_file().then_some(path)
}

/// Returns the user's home folder.
pub(super) fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").filter(|home| !home.is_empty()).map(PathBuf::from)
}

fn of_user(own: &str, xdg: &str, below_home: &str) -> Result<PathBuf, CliError> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = set(own) {
        return Ok(folder);
    }
    let base = set(xdg).filter(|base| base.is_absolute()).or_else(|| home().map(|home| home.join(below_home)));
    base.map(|base| base.join("porthole")).ok_or_else(|| {
        let message = format!("there is no home folder to keep files in (`{}`)", ExitCode::Usage.meaning());
        CliError::usage(anyhow::Error::msg(message), Some(format!("name a folder with `{own}`")))
    })
}
