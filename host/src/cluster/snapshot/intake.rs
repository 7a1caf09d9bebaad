//! Taking in the files of a snapshot, one after the other, none of which can end it.

use std::collections::{BTreeSet, HashMap};
use std::io::Read;
use std::path::Path;

use bytes::Bytes;

use super::documents::{self, Form, Piece};
use super::error::{SnapshotError, Warning};
use super::found::{self, Finding, Found};
use super::layout::{self, Hint, Instance, Layout, LogKey, Role};
use super::logs::Logs;
use crate::cluster::NodeEndpoint;
use crate::cluster::archive::{self, ArchiveBounds, ArchiveError};

/// Bytes of one file of objects; without it one file could fill the memory while it is parsed.
const OBJECT_FILE_BYTES: u64 = 256 << 20;

/// Bytes of all objects together; without it an archive within its own bounds could fill the memory.
const OBJECT_BYTES: u64 = 2 << 30;

/// Bytes of a kubelet's recorded answer, which is the bound of a live one.
const HOST_BYTES: u64 = 16 << 20;

/// Warnings kept; without it a folder of a million broken files would be a million warnings.
const WARNINGS: usize = 1000;

/// All that a snapshot's files say.
#[derive(Debug, Default)]
pub(super) struct Intake {
    pub(super) found: Vec<Found>,
    pub(super) layouts: BTreeSet<Layout>,
    pub(super) hosts: HashMap<(String, NodeEndpoint), Bytes>,
    pub(super) version: Option<Bytes>,
    pub(super) groups: Option<Bytes>,
    pub(super) logs: Logs,
    pub(super) warnings: Vec<Warning>,
    files: u64,
    object_bytes: u64,
}

/// Why the intake stops before the end.
#[derive(Debug, thiserror::Error)]
enum Stop {
    #[error("too large")]
    TooLarge,
    #[error("storage failed")]
    Storage(#[source] std::io::Error),
}

impl Intake {
    /// Reads everything at `path` once.
    ///
    /// # Errors
    ///
    /// As [`SnapshotError`] says; a file that cannot be understood is a warning only.
    pub(super) fn read(path: &Path) -> Result<Self, SnapshotError> {
        let mut intake = Self::default();
        let is_single = path.is_file();
        let visited = archive::visit_counting(path, &ArchiveBounds::default(), &mut |name, content| {
            intake.files += 1;
            let mut role = layout::role(name);
            // A file that was named by the user is meant, whatever it is called.
            if is_single && role == Role::Other && !name.contains('/') {
                role = Role::Objects(Hint::default());
            }
            intake.take(name, role, content)
        });
        let path = || path.to_path_buf();
        match visited {
            Ok(skipped) if skipped.links > 0 => intake.warn(".", format!("{} links were not followed", skipped.links)),
            Ok(_) => {}
            Err(ArchiveError::Stopped(stop)) => {
                return Err(match stop.downcast::<Stop>() {
                    Ok(stop) => match *stop {
                        Stop::TooLarge => {
                            SnapshotError::TooLarge { path: path(), limit: OBJECT_BYTES, unit: "bytes of objects" }
                        }
                        Stop::Storage(source) => SnapshotError::Storage { path: path(), source },
                    },
                    Err(other) => SnapshotError::Archive { path: path(), source: ArchiveError::Stopped(other) },
                });
            }
            Err(source) => return Err(SnapshotError::Archive { path: path(), source }),
        }
        if intake.is_empty() {
            let first = intake.warnings.into_iter().next();
            return Err(SnapshotError::NothingReadable { path: path(), files: intake.files, first });
        }
        Ok(intake)
    }

    /// Takes in a text as if it were the only file.
    pub(super) fn read_text(name: &str, text: &str) -> Self {
        let mut intake = Self::default();
        // The bounds are those of memory that the caller has already spent.
        if let Err(stop) = intake.take_text(name, text, Form::Yaml, &Hint::default()) {
            intake.warn(name, stop.to_string());
        }
        intake
    }

    fn is_empty(&self) -> bool {
        self.found.is_empty() && self.hosts.is_empty() && self.version.is_none() && self.logs.len() == 0
    }

    fn warn(&mut self, path: &str, reason: String) {
        if self.warnings.len() < WARNINGS {
            self.warnings.push(Warning { path: path.to_owned(), reason });
        }
    }

    fn take(&mut self, name: &str, role: Role, content: &mut dyn Read) -> Result<(), ArchiveError> {
        match role {
            Role::Other => Ok(()),
            Role::Host { node, endpoint } => {
                self.layouts.insert(Layout::Sonobuoy);
                if let Some(bytes) = self.read_bounded(name, content, HOST_BYTES)? {
                    self.hosts.insert((node, endpoint), Bytes::from(bytes));
                }
                Ok(())
            }
            Role::Log(key) => self.add_log(key, content),
            Role::MarkedLogs => self.take_objects(name, Form::Either, &Hint::default(), content),
            Role::Objects(hint) => {
                let form = if name.ends_with(".json") { Form::Either } else { Form::Yaml };
                self.take_objects(name, form, &hint, content)
            }
        }
    }

    fn add_log(&mut self, key: LogKey, content: &mut dyn Read) -> Result<(), ArchiveError> {
        self.logs.add(key, content).map_err(|error| match ArchiveError::from(error) {
            ArchiveError::Read(source) => ArchiveError::Stopped(Box::new(Stop::Storage(source))),
            error => error,
        })
    }

    /// Reads a file whole; `None` with a warning when it is too large or cannot be opened.
    fn read_bounded(
        &mut self,
        name: &str,
        content: &mut dyn Read,
        limit: u64,
    ) -> Result<Option<Vec<u8>>, ArchiveError> {
        let mut bytes = Vec::new();
        match content.take(limit.saturating_add(1)).read_to_end(&mut bytes).map_err(ArchiveError::from) {
            Ok(_) => {}
            Err(ArchiveError::Read(error)) => {
                self.warn(name, format!("cannot be read: {error}"));
                return Ok(None);
            }
            Err(error) => return Err(error),
        }
        if bytes.len() as u64 > limit {
            self.warn(name, format!("is larger than {limit} bytes"));
            return Ok(None);
        }
        Ok(Some(bytes))
    }

    fn take_objects(
        &mut self,
        name: &str,
        form: Form,
        hint: &Hint,
        content: &mut dyn Read,
    ) -> Result<(), ArchiveError> {
        let Some(bytes) = self.read_bounded(name, content, OBJECT_FILE_BYTES)? else { return Ok(()) };
        // Logs between marker lines may hold anything; objects must be text.
        let text = match String::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) if error.as_bytes().starts_with(b"====") => {
                String::from_utf8_lossy(error.as_bytes()).into_owned()
            }
            Err(error) => {
                self.warn(name, format!("is not UTF-8 text: byte {} is wrong", error.utf8_error().valid_up_to()));
                return Ok(());
            }
        };
        self.take_text(name, &text, form, hint).map_err(|stop| ArchiveError::Stopped(Box::new(stop)))
    }

    fn take_text(&mut self, name: &str, text: &str, form: Form, hint: &Hint) -> Result<(), Stop> {
        let mut stop = None;
        let read = documents::read(text, form, &mut |piece| {
            if let Err(reason) = self.take_piece(name, piece, hint) {
                stop = Some(reason);
                return Err(String::new());
            }
            Ok(())
        });
        match (stop, read) {
            (Some(stop), _) => return Err(stop),
            (None, Err(reason)) => self.warn(name, reason),
            (None, Ok(())) => {}
        }
        Ok(())
    }

    fn take_piece(&mut self, name: &str, piece: Piece<'_>, hint: &Hint) -> Result<(), Stop> {
        let mut item = match piece {
            Piece::Item(item) => item,
            Piece::Log { namespace, pod, container, text } => {
                self.layouts.insert(Layout::ClusterInfo);
                let [namespace, pod, container] = [namespace, pod, container].map(str::to_owned);
                let key = LogKey { namespace, pod, container, instance: Instance::Current };
                return self.logs.add(key, &mut text.as_bytes()).map_err(Stop::Storage);
            }
        };
        match found::find(&mut item, hint) {
            Ok(Finding::Object(found)) => {
                self.object_bytes = self.object_bytes.saturating_add(found.object.json().len() as u64);
                if self.object_bytes > OBJECT_BYTES {
                    return Err(Stop::TooLarge);
                }
                self.layouts.insert(hint.layout);
                self.found.push(found);
            }
            Ok(Finding::Version) => self.version = Some(Bytes::from(item.value.to_string())),
            Ok(Finding::Groups) => self.groups = Some(Bytes::from(item.value.to_string())),
            Ok(Finding::Other) => {}
            Err(reason) => self.warn(name, reason),
        }
        Ok(())
    }
}
