//! The containers' logs of a snapshot, put aside in an unnamed temporary file.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;

use super::layout::{Instance, LogKey};

mod cut;

pub(super) use cut::{CutError, cut};

/// Where each log is; cheap to ask, and no log is in memory.
#[derive(Debug, Default)]
pub(super) struct Logs {
    file: Option<File>,
    places: BTreeMap<LogKey, Place>,
}

/// A part of the temporary file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    start: u64,
    length: u64,
}

/// Why there is no log to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Missing {
    /// The pod has several, and none was named.
    Ambiguous(Vec<String>),
    /// This one was not recorded; these were, for the same pod.
    NotRecorded(Vec<String>),
}

impl Logs {
    /// Copies one log; a second one of the same container is left out.
    pub(super) fn add(&mut self, key: LogKey, content: &mut dyn Read) -> io::Result<()> {
        if self.places.contains_key(&key) {
            return Ok(());
        }
        if self.file.is_none() {
            self.file = Some(tempfile::tempfile()?);
        }
        let Some(file) = &mut self.file else { return Ok(()) };
        let start = file.seek(SeekFrom::End(0))?;
        let length = io::copy(content, file)?;
        file.flush()?;
        self.places.insert(key, Place { start, length });
        Ok(())
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Opens the log of a container, or of the only one.
    pub(super) fn open(
        &self,
        namespace: &str,
        pod: &str,
        container: Option<&str>,
        instance: Instance,
    ) -> Result<Log, Missing> {
        let of_pod = |key: &&LogKey| key.namespace == namespace && key.pod == pod && key.instance == instance;
        let recorded: Vec<&LogKey> = self.places.keys().filter(of_pod).collect();
        let names = || recorded.iter().map(|key| key.container.clone()).collect::<Vec<_>>();
        let key = match container {
            Some(container) => recorded.iter().find(|key| key.container == container),
            None if recorded.len() > 1 => return Err(Missing::Ambiguous(names())),
            None => recorded.first(),
        };
        let place = key.and_then(|key| self.places.get(*key)).copied();
        let file = self.file.as_ref().and_then(|file| file.try_clone().ok());
        match (place, file) {
            (Some(place), Some(file)) => Ok(Log { file, start: place.start, end: place.start + place.length }),
            _ => Err(Missing::NotRecorded(names())),
        }
    }
}

/// One log, or what is wanted of it.
#[derive(Debug)]
pub(super) struct Log {
    file: File,
    start: u64,
    end: u64,
}

impl Log {
    /// Reads at most `bytes` from `offset` on; empty at the end.
    pub(super) fn read(&self, offset: u64, bytes: usize) -> io::Result<Vec<u8>> {
        let left = self.end.saturating_sub(self.start.saturating_add(offset));
        let mut buffer = vec![0; bytes.min(usize::try_from(left).unwrap_or(bytes))];
        self.file.read_exact_at(&mut buffer, self.start.saturating_add(offset))?;
        Ok(buffer)
    }

    fn length(&self) -> u64 {
        self.end - self.start
    }
}
