//! The `done` file of a plain program: which part of its folder is its result.
//!
//! Sonobuoy's contract with plugins: the program writes the path of its result, a file or a folder,
//! into `done`. Without it the whole folder is the result.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

/// Bytes of a `done` file that are read; it holds one path.
const DONE_BYTES: u64 = 4096;

/// What a `done` file said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum DoneFile {
    /// There is none; the whole folder is the result.
    None,
    /// The folder now holds what it names, and nothing else.
    Kept,
    /// It names what is not there, or what is not in the folder.
    Missing(String),
}

/// Reads and removes `done`, and removes what it does not name.
pub(super) fn take(results: &Path, guest_results: &str) -> io::Result<DoneFile> {
    let done = results.join("done");
    match fs::symlink_metadata(&done) {
        Ok(metadata) if metadata.is_file() => {}
        _ => return Ok(DoneFile::None),
    }
    let mut text = String::new();
    io::Read::read_to_string(&mut io::Read::take(fs::File::open(&done)?, DONE_BYTES), &mut text)?;
    fs::remove_file(&done)?;
    let named = text.trim();
    let Some(relative) = within(named, guest_results) else { return Ok(DoneFile::Missing(named.to_owned())) };
    if !is_plain(results, &relative) {
        return Ok(DoneFile::Missing(named.to_owned()));
    }
    keep_only(results, &relative)?;
    Ok(DoneFile::Kept)
}

/// Returns a path below the results folder, or `None` for one that is elsewhere.
fn within(named: &str, guest_results: &str) -> Option<PathBuf> {
    let path = Path::new(named);
    let relative = if path.is_absolute() { path.strip_prefix(guest_results).ok()? } else { path };
    let plain = relative.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    plain.then(|| relative.components().filter(|part| *part != Component::CurDir).collect())
}

/// Returns whether a path leads to a file or folder without passing a link: through a link the host would
/// read, and remove, files of its own.
fn is_plain(results: &Path, relative: &Path) -> bool {
    let mut path = results.to_owned();
    relative.components().all(|part| {
        path.push(part);
        fs::symlink_metadata(&path).is_ok_and(|metadata| metadata.is_file() || metadata.is_dir())
    })
}

/// Removes everything below `folder` that is not on the way to `kept` or below it.
fn keep_only(folder: &Path, kept: &Path) -> io::Result<()> {
    let mut parts = kept.components();
    let Some(first) = parts.next() else { return Ok(()) };
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name() == first.as_os_str() {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    let rest = parts.as_path();
    if rest.as_os_str().is_empty() { Ok(()) } else { keep_only(&folder.join(first), rest) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (path, text) in files {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().expect("below the folder")).expect("a folder");
            fs::write(path, text).expect("a file");
        }
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(folder)
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn without_done_the_whole_folder_is_the_result() {
        let folder = folder(&[("a", ""), ("b", "")]);
        assert_eq!(take(folder.path(), "/results").expect("readable"), DoneFile::None);
        assert_eq!(names(folder.path()), ["a", "b"]);
    }

    #[test]
    fn what_done_names_is_kept_and_the_rest_removed() {
        for named in ["/results/out/report.json\n", "out/report.json", "./out/report.json"] {
            let folder = folder(&[("done", named), ("scratch/x", ""), ("out/report.json", ""), ("out/other", "")]);
            assert_eq!(take(folder.path(), "/results").expect("readable"), DoneFile::Kept);
            assert_eq!(names(folder.path()), ["out"]);
            assert_eq!(names(&folder.path().join("out")), ["report.json"]);
        }
    }

    #[test]
    fn done_cannot_name_what_is_elsewhere() {
        for named in ["/etc/passwd", "../../secret", "/results/../secret", "missing"] {
            let folder = folder(&[("done", named), ("a", "")]);
            assert_eq!(take(folder.path(), "/results").expect("readable"), DoneFile::Missing(named.to_owned()));
            assert_eq!(names(folder.path()), ["a"]);
        }
        let folder = folder(&[("done", "link")]);
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("link")).expect("a link");
        assert_eq!(take(folder.path(), "/results").expect("readable"), DoneFile::Missing("link".to_owned()));
    }

    #[test]
    fn a_linked_folder_on_the_way_is_not_passed() {
        let elsewhere = folder(&[("kept", ""), ("precious", "")]);
        let folder = folder(&[("done", "link/kept")]);
        std::os::unix::fs::symlink(elsewhere.path(), folder.path().join("link")).expect("a link");
        assert_eq!(take(folder.path(), "/results").expect("readable"), DoneFile::Missing("link/kept".to_owned()));
        assert_eq!(names(elsewhere.path()), ["kept", "precious"]);
    }
}
