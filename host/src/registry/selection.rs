//! Resolves what was named on the command line: a plugin, a file or a folder.

use std::path::{Path, PathBuf};

use porthole_core::manifest::{self, ManifestError};
use thiserror::Error;

use super::{Candidate, Discovered, FileFailure};

/// What was selected.
#[derive(Debug, Default)]
pub struct Selected {
    /// The plugins, in the order in which they were named; their names are unique.
    pub plugins: Vec<Candidate>,
    /// Files of the named folders that gave nothing; the others still run.
    pub failures: Vec<FileFailure>,
}

/// Why a selection cannot be made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SelectionError {
    /// There is neither a plugin nor a file of that name.
    #[error("there is no plugin, file or folder `{name}` ({})", known_plugins(known))]
    Unknown {
        /// What was named.
        name: String,
        /// The plugins that there are, sorted.
        known: Vec<String>,
    },
    /// The file that was named gives no plugin.
    #[error("`{}` cannot be used", path.display())]
    Unusable {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: super::RegistryError,
    },
    /// The new name cannot be a plugin's name.
    #[error("`{argument}` cannot be renamed so")]
    InvalidName {
        /// What was named.
        argument: String,
        /// The rule that the new name breaks.
        #[source]
        source: ManifestError,
    },
    /// A new name was given to several plugins.
    #[error("`{argument}` renames {count} plugins; a new name is for one plugin")]
    RenamesSeveral {
        /// What was named.
        argument: String,
        /// How many plugins it stands for.
        count: usize,
    },
    /// Two of the selected plugins have one name.
    #[error("two plugins are called `{name}`: {first} and {second}; rename one with `{name}@newname`")]
    Duplicate {
        /// The name.
        name: String,
        /// Where the first came from.
        first: String,
        /// Where the second came from.
        second: String,
    },
}

impl SelectionError {
    /// Returns the plugin that was probably meant, where one is near.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown { name, known } => {
                manifest::closest(name, known.iter().map(String::as_str)).map(|near| format!("did you mean `{near}`?"))
            }
            Self::Unusable { source: super::RegistryError::Definition(error), .. } => error.hint(),
            _ => None,
        }
    }
}

fn known_plugins(known: &[String]) -> String {
    if known.is_empty() { "no plugins were found".to_owned() } else { format!("plugins: {}", known.join(", ")) }
}

/// Resolves `arguments`; without any, everything that was discovered is selected.
///
/// An argument is the name of a discovered plugin, or else a file (`.wasm`, `.yaml`, `.yml`, `.json`), or else
/// a folder; `NAME@NEWNAME` renames what is one plugin. Files are read, so call it off the async threads.
///
/// # Errors
///
/// [`SelectionError`]: what somebody asked for by name is there or is an error. Bad files in a named folder
/// are not: they are in [`Selected::failures`].
pub fn select(mut discovered: Discovered, arguments: &[String]) -> Result<Selected, SelectionError> {
    if arguments.is_empty() {
        return Ok(Selected { plugins: discovered.plugins, failures: discovered.failures });
    }
    let mut selected = Selected::default();
    for argument in arguments {
        let (found, new_name) = match resolve(&discovered, argument) {
            Err(SelectionError::Unknown { name, known }) => {
                return Err(broken_file(&mut discovered, &name).unwrap_or(SelectionError::Unknown { name, known }));
            }
            resolved => resolved?,
        };
        selected.failures.extend(found.failures);
        let count = found.plugins.len();
        for mut plugin in found.plugins {
            if let Some(new_name) = new_name {
                if count > 1 {
                    return Err(SelectionError::RenamesSeveral { argument: argument.clone(), count });
                }
                rename(&mut plugin, new_name, argument)?;
            }
            selected.insert(plugin)?;
        }
    }
    Ok(selected)
}

/// Returns why the file that bears `name` gave no plugin, if that is why there is none of the name.
fn broken_file(discovered: &mut Discovered, name: &str) -> Option<SelectionError> {
    let bears_name = |failure: &FileFailure| failure.path.file_stem().is_some_and(|stem| stem == name);
    let index = discovered.failures.iter().position(bears_name)?;
    let FileFailure { path, error } = discovered.failures.swap_remove(index);
    Some(SelectionError::Unusable { path, source: error })
}

impl Selected {
    fn insert(&mut self, plugin: Candidate) -> Result<(), SelectionError> {
        if let Some(first) = self.plugins.iter().find(|first| first.name() == plugin.name()) {
            return Err(SelectionError::Duplicate {
                name: plugin.name().to_owned(),
                first: first.origin.to_string(),
                second: plugin.origin.to_string(),
            });
        }
        self.plugins.push(plugin);
        Ok(())
    }
}

/// Returns what an argument stands for, and its new name; a whole argument is preferred to one with `@`.
fn resolve<'a>(discovered: &Discovered, argument: &'a str) -> Result<(Discovered, Option<&'a str>), SelectionError> {
    if let Some(found) = look_up(discovered, argument)? {
        return Ok((found, None));
    }
    if let Some((name, new_name)) = argument.rsplit_once('@')
        && let Some(found) = look_up(discovered, name)?
    {
        return Ok((found, Some(new_name)));
    }
    let mut known: Vec<_> = discovered.plugins.iter().map(|plugin| plugin.name().to_owned()).collect();
    known.sort();
    let name = argument.rsplit_once('@').map_or(argument, |(name, _)| name);
    Err(SelectionError::Unknown { name: name.to_owned(), known })
}

fn look_up(discovered: &Discovered, name: &str) -> Result<Option<Discovered>, SelectionError> {
    if let Some(plugin) = discovered.plugins.iter().find(|plugin| plugin.name() == name) {
        return Ok(Some(Discovered { plugins: vec![plugin.clone()], failures: Vec::new() }));
    }
    let path = Path::new(name);
    let mut found = Discovered::default();
    if path.is_dir() {
        found.add_folder(path);
        return Ok(Some(found));
    }
    if !path.exists() {
        return Ok(None);
    }
    found.add_file(path);
    match found.failures.pop() {
        Some(failure) => Err(SelectionError::Unusable { path: failure.path, source: failure.error }),
        None => Ok(Some(found)),
    }
}

fn rename(plugin: &mut Candidate, new_name: &str, argument: &str) -> Result<(), SelectionError> {
    manifest::check_name("new name", new_name)
        .map_err(|source| SelectionError::InvalidName { argument: argument.to_owned(), source })?;
    plugin.manifest.name = new_name.to_owned();
    Ok(())
}

#[cfg(test)]
mod tests;
