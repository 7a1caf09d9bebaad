//! The folder of a run: where every file of it goes, in the layout of the tarball.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Bytes of one part of a path; file systems take no longer ones.
const PART_BYTES: usize = 255;
/// Bytes of a whole path within its place.
const PATH_BYTES: usize = 1024;

/// The folder of a run. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFolder {
    root: PathBuf,
}

/// A path that cannot be one of a run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{path}` is not a usable path: {reason}")]
pub(super) struct PathError {
    /// The path as it was given.
    pub path: String,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl RunFolder {
    /// Makes the folder `parent/id`, which must not exist yet.
    ///
    /// # Errors
    ///
    /// Fails when it exists or cannot be made.
    pub fn create(parent: &Path, id: &str) -> io::Result<Self> {
        fs::create_dir_all(parent)?;
        let root = parent.join(id);
        fs::create_dir(&root)?;
        for part in ["meta", "plugins"] {
            fs::create_dir(root.join(part))?;
        }
        Ok(Self { root })
    }

    /// Returns the folder of a run that exists already.
    #[must_use]
    pub fn open(root: PathBuf) -> Self {
        Self { root }
    }

    /// Returns the folder itself.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns where a file about the run as a whole is.
    #[must_use]
    pub fn meta(&self, name: &str) -> PathBuf {
        self.root.join("meta").join(name)
    }

    /// Returns the folder of a plugin. `plugin` is a checked name.
    #[must_use]
    pub fn plugin(&self, plugin: &str) -> PathBuf {
        self.root.join("plugins").join(plugin)
    }

    /// Makes and returns the folder for the results of one target of a plugin.
    ///
    /// # Errors
    ///
    /// Fails when it cannot be made, or when the target's name (a node's, and so the cluster's choice)
    /// cannot be a file's.
    pub fn results(&self, plugin: &str, target: &str) -> io::Result<PathBuf> {
        self.target_folder(plugin, "results", target)
    }

    /// Writes the error result of one target.
    ///
    /// # Errors
    ///
    /// As [`RunFolder::results`].
    pub fn write_error(&self, plugin: &str, target: &str, error: &serde_json::Value) -> io::Result<()> {
        let path = self.target_folder(plugin, "errors", target)?.join("error.json");
        write_whole(&path, &serde_json::to_vec_pretty(error)?)
    }

    fn target_folder(&self, plugin: &str, kind: &str, target: &str) -> io::Result<PathBuf> {
        check_part(target)
            .map_err(|reason| io::Error::new(io::ErrorKind::InvalidInput, format!("`{target}`: {reason}")))?;
        let folder = self.plugin(plugin).join(kind).join(target);
        fs::create_dir_all(&folder)?;
        Ok(folder)
    }
}

/// Checks a path that a guest chose, and returns it as a relative one.
///
/// # Errors
///
/// Refuses what could leave its place or could not be unpacked elsewhere: absolute paths, empty, `.` and
/// `..` parts, backslashes, control characters, and lengths that file systems refuse.
pub(super) fn checked_path(path: &str) -> Result<PathBuf, PathError> {
    let refused = |reason| PathError { path: path.to_owned(), reason };
    if path.is_empty() {
        return Err(refused("it is empty"));
    }
    if path.len() > PATH_BYTES {
        return Err(refused("it is longer than 1,024 bytes"));
    }
    for part in path.split('/') {
        check_part(part).map_err(refused)?;
    }
    Ok(PathBuf::from(path))
}

fn check_part(part: &str) -> Result<(), &'static str> {
    match part {
        "" => Err("it is absolute or has an empty part"),
        "." | ".." => Err("`.` and `..` are not allowed"),
        part if part.len() > PART_BYTES => Err("a part is longer than 255 bytes"),
        part if part.chars().any(|letter| letter == '\\' || letter == '/' || letter.is_control()) => {
            Err("a part holds a slash, a backslash or a control character")
        }
        _ => Ok(()),
    }
}

/// Writes a file so that readers see all of it or none.
///
/// # Errors
///
/// Fails when it cannot be written, for instance because the disk is full; nothing is left behind then.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let file = tempfile::Builder::new().prefix(".writing-").tempfile_in(folder)?;
    io::Write::write_all(&mut file.as_file(), bytes)?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// Makes a new file and the folders above it.
///
/// # Errors
///
/// [`io::ErrorKind::AlreadyExists`] when it is there already.
pub(super) fn create_new(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    File::options().write(true).create_new(true).open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guests_path_cannot_leave_its_place() {
        for path in ["", "/etc/passwd", "a//b", "a/", "./a", "a/../../b", "..", "a\\b", "a\nb", "a\0b"] {
            assert!(checked_path(path).is_err(), "{path:?}");
        }
        assert!(checked_path(&"x".repeat(256)).is_err());
        assert!(checked_path(&"x/".repeat(600)).is_err());
        assert_eq!(checked_path("a/b.json"), Ok(PathBuf::from("a/b.json")));
        assert_eq!(checked_path("a/..b"), Ok(PathBuf::from("a/..b")));
    }

    #[test]
    fn a_nodes_name_cannot_leave_the_plugins_folder() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        let folder = RunFolder::create(parent.path(), "run").expect("a new folder");
        assert!(folder.results("plugin", "../../evil").is_err());
        assert!(folder.results("plugin", "..").is_err());
        assert!(folder.results("plugin", "node-1").is_ok());
    }

    #[test]
    fn two_runs_never_share_a_folder() {
        let parent = tempfile::tempdir().expect("a temporary folder");
        RunFolder::create(parent.path(), "run").expect("a new folder");
        assert_eq!(
            RunFolder::create(parent.path(), "run").map_err(|error| error.kind()),
            Err(io::ErrorKind::AlreadyExists)
        );
    }
}
