//! Writing what a run knows into its folder: items, definitions and `meta/`.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use porthole_core::report::ClusterHealth;
use porthole_core::results::processing::{Interest, PARSED_FILE_BYTES_MAX};
use porthole_core::results::{Item, Mode, PluginShape, Processor};
use serde::Serialize;

pub mod health;

/// Why a file of a run's folder could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file or folder cannot be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write `{}`", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

impl FolderError {
    fn read(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Read { path: path.to_path_buf(), source }
    }
}

/// Reads the results and errors of a plugin below `run/plugins/<name>/` and returns its tree.
///
/// A file that cannot be read or is too large becomes an unknown item; a missing folder has no items.
///
/// # Errors
///
/// Fails when a folder cannot be listed.
pub fn post_process(run: &Path, shape: PluginShape, mode: Mode) -> Result<Item, FolderError> {
    let plugin = run.join("plugins").join(&shape.name);
    let mut processor = Processor::new(shape, mode);
    for section in ["results", "errors"] {
        walk(&plugin, &format!("{section}/"), &mut |path| add(&mut processor, &plugin, path))?;
    }
    Ok(processor.finish())
}

fn add(processor: &mut Processor, plugin: &Path, path: &str) {
    match processor.interest(path) {
        Interest::Ignored => {}
        Interest::Name => processor.add(path, &[]),
        Interest::Content => match read_bounded(&plugin.join(path)) {
            Ok(content) => processor.add(path, &content),
            Err(error) => processor.add_unreadable(path, &error.to_string()),
        },
    }
}

fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    let bytes = file.metadata()?.len();
    if bytes > PARSED_FILE_BYTES_MAX {
        let reason = format!("the file is larger than {PARSED_FILE_BYTES_MAX} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    let mut content = Vec::new();
    file.take(PARSED_FILE_BYTES_MAX).read_to_end(&mut content)?;
    Ok(content)
}

/// Calls `visit` for all folders (with a trailing slash) and files below `root/below`, by name; links and
/// names that are not UTF-8 are passed over. A missing folder is empty.
fn walk(root: &Path, below: &str, visit: &mut dyn FnMut(&str)) -> Result<(), FolderError> {
    let folder = root.join(below);
    let entries = match fs::read_dir(&folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(FolderError::read(&folder)(error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(FolderError::read(&folder))?;
        let kind = entry.file_type().map_err(FolderError::read(&folder))?;
        if let Ok(name) = entry.file_name().into_string() {
            names.push((name, kind));
        }
    }
    names.sort_by(|left, right| left.0.cmp(&right.0));
    for (name, kind) in names {
        if kind.is_dir() {
            let path = format!("{below}{name}/");
            visit(&path);
            walk(root, &path, visit)?;
        } else if kind.is_file() {
            visit(&format!("{below}{name}"));
        }
    }
    Ok(())
}

/// Writes `plugins/<name>/sonobuoy_results.yaml`; the plugin is the root's name, which must be a valid
/// plugin name, since it becomes part of a path.
///
/// # Errors
///
/// Fails when the file cannot be written.
pub fn write_results(run: &Path, root: &Item) -> Result<(), FolderError> {
    let path = run.join("plugins").join(&root.name).join("sonobuoy_results.yaml");
    write_with(&path, |file| serde_yaml::to_writer(file, root).map_err(io::Error::other))
}

/// Writes `plugins/<plugin>/definition.json`.
///
/// For Sonobuoy's readers `definition` holds `Definition` with `sonobuoy-config`.
///
/// # Errors
///
/// Fails when the file cannot be written.
pub fn write_definition(run: &Path, plugin: &str, definition: &impl Serialize) -> Result<(), FolderError> {
    write_json(&run.join("plugins").join(plugin).join("definition.json"), definition)
}

/// Writes `meta/info.json`: the plugins in the order in which they are shown.
///
/// # Errors
///
/// Fails when the file cannot be written.
pub fn write_info(run: &Path, plugins: &[String]) -> Result<(), FolderError> {
    #[derive(Serialize)]
    struct Info<'a> {
        plugins: &'a [String],
    }
    write_json(&run.join("meta/info.json"), &Info { plugins })
}

/// Writes `meta/config.json`: the configuration that was used.
///
/// # Errors
///
/// Fails when the file cannot be written.
pub fn write_config(run: &Path, config: &impl Serialize) -> Result<(), FolderError> {
    write_json(&run.join("meta/config.json"), config)
}

/// Sums up what was collected (see [`health::read`]) and writes `meta/clusterhealth.json`.
///
/// # Errors
///
/// Fails when the file cannot be written or a folder cannot be listed.
pub fn write_cluster_health(run: &Path) -> Result<ClusterHealth, FolderError> {
    let health = health::read(run)?;
    write_json(&run.join("meta/clusterhealth.json"), &health)?;
    Ok(health)
}

fn write_json(path: &Path, value: &impl Serialize) -> Result<(), FolderError> {
    write_with(path, |file| serde_json::to_writer(file, value).map_err(io::Error::from))
}

/// Returns the permissions of an ordinary file, less what the process's mask takes away. Temporary files
/// are private otherwise, and would stay so under their final names.
pub(super) fn readable() -> fs::Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o644)
}

/// Writes a file beside its place and moves it there when it is whole, so that a crash leaves the old one.
fn write_with(
    path: &Path,
    content: impl FnOnce(&mut io::BufWriter<&File>) -> io::Result<()>,
) -> Result<(), FolderError> {
    let write = || -> io::Result<()> {
        let folder = path.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let temporary = tempfile::Builder::new().prefix(".writing-").permissions(readable()).tempfile_in(folder)?;
        let mut buffer = io::BufWriter::new(temporary.as_file());
        content(&mut buffer)?;
        buffer.flush()?;
        drop(buffer);
        temporary.as_file().sync_data()?;
        temporary.persist(path).map_err(|error| error.error)?;
        Ok(())
    };
    write().map_err(|source| FolderError::Write { path: path.to_path_buf(), source })
}

#[cfg(test)]
mod tests;
