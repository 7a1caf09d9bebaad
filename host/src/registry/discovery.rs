//! Finds the plugins of the search path.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::join::{self, DEFINITION_ENDINGS, Naming};
use super::{Candidate, Origin, RegistryError};

/// Most files of one folder that are looked at. Without it, a folder that somebody else fills would keep
/// the host reading.
const FILES: usize = 10_000;

/// What was found.
#[derive(Debug, Default)]
pub struct Discovered {
    /// The plugins, in the order of the search path and then of the files' names; their names are unique.
    pub plugins: Vec<Candidate>,
    /// The files that gave nothing, in the same order.
    pub failures: Vec<FileFailure>,
}

/// A file that gave no plugin, or not all that it holds.
#[derive(Debug)]
pub struct FileFailure {
    /// The file.
    pub path: PathBuf,
    /// Why.
    pub error: RegistryError,
}

/// Finds the plugins of the folders in `search_path`, each without its subfolders.
///
/// Read are `*.wasm`, `*.yaml`, `*.yml` and `*.json`; names that begin with `.` are passed over, and so are
/// folders that do not exist. Of two plugins with one name the first is taken and the other is a failure.
/// Every component is read once, which is what this costs; blocking: call it off the async threads.
#[must_use]
pub fn discover(search_path: &[PathBuf]) -> Discovered {
    let mut discovered = Discovered::default();
    for folder in search_path {
        discovered.add_folder(folder);
    }
    discovered
}

impl Discovered {
    /// Adds a plugin, unless there is one of its name.
    ///
    /// That is a failure of the later one's file, except for a plugin of the host's own binary: a file that
    /// bears its name is meant to replace it. Add those last.
    pub fn insert(&mut self, candidate: Candidate) {
        let Some(first) = self.plugins.iter().find(|plugin| plugin.name() == candidate.name()) else {
            self.plugins.push(candidate);
            return;
        };
        let error = RegistryError::Duplicate { name: candidate.name().to_owned(), first: first.origin.to_string() };
        match candidate.origin {
            Origin::Embedded => {}
            Origin::ComponentFile(path) | Origin::Definition(path) => self.failures.push(FileFailure { path, error }),
        }
    }

    /// Adds what is in one folder; a folder that does not exist adds nothing.
    pub fn add_folder(&mut self, folder: &Path) {
        let files = match list(folder) {
            Ok(files) => files,
            Err(error) => return self.fail(folder, RegistryError::Unreadable(error)),
        };
        if files.len() > FILES {
            self.fail(folder, RegistryError::TooManyFiles { limit: FILES });
        }
        let files = &files[..files.len().min(FILES)];
        let mut claimed = BTreeSet::new();
        let mut found = Vec::new();
        for path in files.iter().filter(|path| is_definition(path)) {
            match join::read_definition(path) {
                Ok(definition) => {
                    claimed
                        .extend(definition.plugins.iter().filter_map(|(_, component)| same_file(component.as_ref()?)));
                    found.push((path, Ok(definition)));
                }
                Err(error) => {
                    // A component whose definition is broken does not run as if there were none.
                    claimed.extend(same_file(&path.with_extension("wasm")));
                    found.push((path, Err(error)));
                }
            }
        }
        let mut found = found.into_iter().peekable();
        for path in files {
            if let Some((_, definition)) = found.next_if(|(of, _)| *of == path) {
                self.add_definition(path, definition);
            } else if is_component(path) && !same_file(path).is_some_and(|file| claimed.contains(&file)) {
                match join::component_file(path, Naming::Found) {
                    Ok(candidate) => self.insert(candidate),
                    Err(error) => self.fail(path, error),
                }
            }
        }
    }

    /// Adds one file that somebody named, together with the definition or component beside it.
    pub fn add_file(&mut self, path: &Path) {
        if is_definition(path) {
            return self.add_definition(path, join::read_definition(path));
        }
        if !is_component(path) {
            return self.fail(path, RegistryError::UnknownKind);
        }
        let beside = DEFINITION_ENDINGS.iter().map(|ending| path.with_extension(ending)).find(|path| path.is_file());
        if let Some(definition) = beside {
            return self.add_definition(&definition, join::read_definition(&definition));
        }
        match join::component_file(path, Naming::Explicit) {
            Ok(candidate) => self.insert(candidate),
            Err(error) => self.fail(path, error),
        }
    }

    fn add_definition(&mut self, path: &Path, definition: Result<join::Definition, RegistryError>) {
        let definition = match definition {
            Ok(definition) => definition,
            Err(error) => return self.fail(path, error),
        };
        for (manifest, component) in definition.plugins {
            match join::join(&definition.path, manifest, component) {
                Ok(candidate) => self.insert(candidate),
                Err(error) => self.fail(path, error),
            }
        }
    }

    fn fail(&mut self, path: &Path, error: RegistryError) {
        self.failures.push(FileFailure { path: path.to_owned(), error });
    }
}

/// Lists the files of a folder that are read, sorted by name; at most one more than [`FILES`].
fn list(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let hidden = path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        // Follows symbolic links: a mounted `ConfigMap` is made of them.
        if !hidden && (is_definition(&path) || is_component(&path)) && !path.is_dir() {
            files.push(path);
        }
        if files.len() > FILES {
            break;
        }
    }
    files.sort();
    Ok(files)
}

fn is_component(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "wasm")
}

fn is_definition(path: &Path) -> bool {
    path.extension().is_some_and(|ending| DEFINITION_ENDINGS.iter().any(|known| ending == *known))
}

/// Returns a path by which a file is known again; `None` when there is no such file.
fn same_file(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok()
}

#[cfg(test)]
mod tests;
