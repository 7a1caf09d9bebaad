//! Packing the folder of a run as one `.tar.gz`, in Sonobuoy's layout.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use flate2::{Compression, GzBuilder};
use jiff::Timestamp;
use porthole_core::status::TarInfo;
use sha2::{Digest, Sha256};

/// Whose name stands in the name of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Naming {
    /// `YYYYMMDDHHMM_porthole_<uuid>.tar.gz`.
    #[default]
    Porthole,
    /// `YYYYMMDDHHMM_sonobuoy_<uuid>.tar.gz`, for scripts that look for it.
    Sonobuoy,
}

/// Why a run could not be packed. Nothing is left behind then.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// There is no space left.
    #[error("the disk of `{}` is full after {written_bytes} bytes of the tarball; the run's folder is kept", path.display())]
    DiskFull {
        /// The tarball that was being written.
        path: PathBuf,
        /// How much of it had been written.
        written_bytes: u64,
    },
    /// The tarball cannot be written.
    #[error("cannot write `{}`", path.display())]
    Write {
        /// The tarball.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// A file of the run cannot be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

/// Returns the name of the tarball of a run that began at `started` (shown in UTC).
#[must_use]
pub fn file_name(started: Timestamp, naming: Naming, run_id: &str) -> String {
    let word = match naming {
        Naming::Porthole => "porthole",
        Naming::Sonobuoy => "sonobuoy",
    };
    format!("{}_{word}_{run_id}.tar.gz", started.strftime("%Y%m%d%H%M"))
}

/// Packs all files of `run` as `folder/name`, replacing what is there.
///
/// Entries are relative, without `./`, sorted by name within each folder, folders before what is in them;
/// links and special files are left out. The file appears under its name only when it is complete and on
/// disk. Memory is constant; the time is that of compressing. `created` is left to the caller's clock.
///
/// # Errors
///
/// As [`PackError`] says. A file that shrinks while it is packed is an error, one that grows is cut.
pub fn pack(run: &Path, folder: &Path, name: &str, created: Timestamp) -> Result<TarInfo, PackError> {
    let path = folder.join(name);
    let failed = |source| PackError::Write { path: path.clone(), source };
    let temporary = tempfile::Builder::new()
        .prefix(".packing-")
        .permissions(super::processing::readable())
        .tempfile_in(folder)
        .map_err(failed)?;
    let (size, sha256) = write(run, &path, BufWriter::new(temporary.as_file()))?;
    temporary.as_file().sync_all().map_err(failed)?;
    let file = temporary.persist(&path).map_err(|error| failed(error.error))?;
    drop(file);
    // The new name itself must survive a crash too. Not every file system can sync a folder.
    if let Ok(folder) = File::open(folder) {
        _ = folder.sync_all();
    }
    Ok(TarInfo { name: name.to_owned(), created: created.to_string(), sha256, size })
}

/// Writes the archive of `run`; returns its size in bytes and its SHA-256.
fn write(run: &Path, path: &Path, target: impl Write) -> Result<(u64, String), PackError> {
    let counting = Counting { target, hash: Sha256::new(), bytes: 0 };
    // No time in the gzip header: the same run gives the same bytes.
    let mut archive = tar::Builder::new(GzBuilder::new().mtime(0).write(counting, Compression::default()));
    let outcome = append_folder(&mut archive, run, Path::new("")).and_then(|()| {
        archive.finish().and_then(|()| archive.get_mut().try_finish()).map_err(Failure::Write)?;
        archive.get_mut().get_mut().target.flush().map_err(Failure::Write)
    });
    let counting = archive.get_ref().get_ref();
    match outcome {
        Ok(()) => Ok((counting.bytes, hexadecimal(&counting.hash.clone().finalize()))),
        Err(error) => Err(error.named(path, counting.bytes)),
    }
}

/// A failure before it is known where it counts.
enum Failure {
    Write(io::Error),
    Read(PathBuf, io::Error),
}

impl Failure {
    fn named(self, path: &Path, written_bytes: u64) -> PackError {
        let path = path.to_path_buf();
        match self {
            Self::Write(source) if source.kind() == io::ErrorKind::StorageFull => {
                PackError::DiskFull { path, written_bytes }
            }
            Self::Write(source) => PackError::Write { path, source },
            Self::Read(path, source) => PackError::Read { path, source },
        }
    }
}

fn append_folder<W: Write>(archive: &mut tar::Builder<W>, run: &Path, below: &Path) -> Result<(), Failure> {
    let folder = if below.as_os_str().is_empty() { run.to_path_buf() } else { run.join(below) };
    let failed = |source| Failure::Read(folder.clone(), source);
    let mut names = Vec::new();
    for entry in fs::read_dir(&folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        names.push((entry.file_name(), entry.file_type().map_err(failed)?));
    }
    names.sort_by(|left, right| left.0.cmp(&right.0));
    for (name, kind) in names {
        let relative = below.join(&name);
        if kind.is_dir() {
            append_entry(archive, run, &relative, tar::EntryType::Directory)?;
            append_folder(archive, run, &relative)?;
        } else if kind.is_file() {
            append_entry(archive, run, &relative, tar::EntryType::Regular)?;
        }
    }
    Ok(())
}

fn append_entry<W: Write>(
    archive: &mut tar::Builder<W>,
    run: &Path,
    relative: &Path,
    kind: tar::EntryType,
) -> Result<(), Failure> {
    let path = run.join(relative);
    let failed = |source| Failure::Read(path.clone(), source);
    let file = File::open(&path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    let is_folder = kind == tar::EntryType::Directory;
    let mut header = tar::Header::new_gnu();
    header.set_entry_type(kind);
    header.set_mode(if is_folder { 0o755 } else { 0o644 });
    header.set_size(if is_folder { 0 } else { metadata.len() });
    header.set_mtime(modified_seconds(&metadata));
    if is_folder {
        return archive.append_data(&mut header, relative, io::empty()).map_err(Failure::Write);
    }
    let mut source = Source { file: file.take(metadata.len()), left: metadata.len(), error: None };
    let outcome = archive.append_data(&mut header, relative, &mut source);
    match (outcome, source.error) {
        (Err(_), Some(error)) => Err(Failure::Read(path, error)),
        (Err(error), None) => Err(Failure::Write(error)),
        (Ok(()), _) => Ok(()),
    }
}

fn modified_seconds(metadata: &fs::Metadata) -> u64 {
    let since = metadata.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
    since.map_or(0, |duration| duration.as_secs())
}

/// A file of known length; tells a failure to read from a failure to write.
struct Source {
    file: io::Take<File>,
    left: u64,
    error: Option<io::Error>,
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let outcome = match self.file.read(buffer) {
            Ok(0) if self.left > 0 && !buffer.is_empty() => {
                Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file shrank while it was packed"))
            }
            other => other,
        };
        match outcome {
            Ok(bytes) => {
                self.left = self.left.saturating_sub(u64::try_from(bytes).unwrap_or(u64::MAX));
                Ok(bytes)
            }
            // `read_exact` and `copy` try again after this kind, so it is no failure.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(error),
            Err(error) => {
                let kind = error.kind();
                self.error = Some(error);
                Err(kind.into())
            }
        }
    }
}

/// Counts and hashes what is written.
struct Counting<W> {
    target: W,
    hash: Sha256,
    bytes: u64,
}

impl<W: Write> Write for Counting<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let written = self.target.write(buffer)?;
        self.hash.update(&buffer[..written]);
        self.bytes = self.bytes.saturating_add(u64::try_from(written).unwrap_or(u64::MAX));
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.target.flush()
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test that cannot make its files must stop")]

    use super::*;

    fn run_folder() -> tempfile::TempDir {
        let run = tempfile::tempdir().unwrap();
        for (path, content) in [("plugins/p/results/global/out", "x"), ("meta/info.json", "{}"), ("a.json", "1")] {
            let path = run.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        std::os::unix::fs::symlink("/etc/passwd", run.path().join("link")).unwrap();
        run
    }

    #[test]
    fn a_run_is_packed_in_order_without_links_and_described() {
        let run = run_folder();
        let folder = tempfile::tempdir().unwrap();
        let started: Timestamp = "2026-11-20T22:24:15Z".parse().unwrap();
        let name = file_name(started, Naming::Porthole, "u-1");
        assert_eq!(name, "202611202224_porthole_u-1.tar.gz");
        let info = pack(run.path(), folder.path(), &name, started).unwrap();
        let bytes = fs::read(folder.path().join(&name)).unwrap();
        assert_eq!(info.sha256, hexadecimal(&Sha256::digest(&bytes)));
        assert_eq!(info.size, u64::try_from(bytes.len()).unwrap());
        let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
        let names: Vec<String> =
            archive.entries().unwrap().map(|entry| entry.unwrap().path().unwrap().display().to_string()).collect();
        assert_eq!(
            names,
            [
                "a.json",
                "meta",
                "meta/info.json",
                "plugins",
                "plugins/p",
                "plugins/p/results",
                "plugins/p/results/global",
                "plugins/p/results/global/out"
            ]
        );
        let again = pack(run.path(), folder.path(), &name, started).unwrap();
        assert_eq!(again, info, "the same run gives the same bytes");
    }

    #[test]
    fn a_failure_leaves_no_file_behind() {
        let folder = tempfile::tempdir().unwrap();
        let error = pack(Path::new("/nowhere"), folder.path(), "x.tar.gz", Timestamp::UNIX_EPOCH).unwrap_err();
        assert_eq!(error.to_string(), "cannot read `/nowhere`");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    /// Takes so many bytes and is full then.
    struct SmallDisk(usize);

    impl Write for SmallDisk {
        fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
            let taken = buffer.len().min(self.0);
            self.0 -= taken;
            if taken == 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(taken) }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_is_called_so() {
        let run = run_folder();
        let error = write(run.path(), Path::new("out.tar.gz"), SmallDisk(20)).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the disk of `out.tar.gz` is full after 20 bytes of the tarball; the run's folder is kept"
        );
    }
}
