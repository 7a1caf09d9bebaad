//! Compiled code on disk, so that plugins start in milliseconds.
//!
//! Loading compiled code is running it: a file that somebody else wrote would own the host. Therefore
//! the folder belongs to the host's user alone, a file carries the hash of its content (which finds
//! truncation and rot; who can write here can run programs as this user anyway), and a file's name
//! binds it to the component's digest and to this build of the engine. Nothing here ever comes from a
//! plugin or a registry.

use std::fs::{self, DirBuilder, OpenOptions};
use std::hash::{Hash, Hasher};
use std::io::{self, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use wasmtime::Engine;
use wasmtime::component::Component;

/// Bytes of a compiled file that are read at most: sixteen times the largest component. A larger file
/// was not written by this host.
const FILE_BYTES: u64 = 1 << 30;
/// Bytes of the hash in front of the code.
const HASH_BYTES: usize = 32;

/// Why the cache's folder cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// It cannot be made or looked at.
    #[error("the folder for compiled plugins `{}` cannot be used: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Somebody else could put code there.
    #[error(
        "the folder for compiled plugins `{}` can be written by others; compiled code from there would run with \
         your rights (type `chmod 700 {}`, or name another folder with `--cache-dir`)",
        path.display(), path.display()
    )]
    NotPrivate {
        /// The folder.
        path: PathBuf,
    },
}

/// A folder of compiled code.
#[derive(Debug)]
pub struct CompiledCache {
    folder: PathBuf,
    engine_hash: String,
}

impl CompiledCache {
    /// Opens or makes the folder with mode 0700.
    ///
    /// # Errors
    ///
    /// Fails when the folder cannot be made, belongs to another user, or others may write to it.
    pub fn open(folder: &Path, engine: &Engine) -> Result<Self, CacheError> {
        let failed = |source| CacheError::Folder { path: folder.to_owned(), source };
        DirBuilder::new().recursive(true).mode(0o700).create(folder).map_err(failed)?;
        let metadata = fs::metadata(folder).map_err(failed)?;
        if metadata.uid() != rustix::process::geteuid().as_raw() || metadata.mode() & 0o022 != 0 {
            return Err(CacheError::NotPrivate { path: folder.to_owned() });
        }
        Ok(Self { folder: folder.to_owned(), engine_hash: engine_hash(engine) })
    }

    /// Loads the code for a component, or `None` when it is not there or not whole.
    pub fn load(&self, digest: &str, engine: &Engine) -> Option<Component> {
        let path = self.path(digest)?;
        let mut bytes = Vec::new();
        // A link could lead to a file of somebody else.
        let flags = i32::try_from(rustix::fs::OFlags::NOFOLLOW.bits()).ok()?;
        let file = OpenOptions::new().read(true).custom_flags(flags).open(&path).ok()?;
        file.take(FILE_BYTES).read_to_end(&mut bytes).ok()?;
        let (hash, code) = bytes.split_at_checked(HASH_BYTES)?;
        if Sha256::digest(code).as_slice() != hash {
            tracing::warn!(path = %path.display(), "compiled code is damaged; compiling again");
            return None;
        }
        #[expect(unsafe_code, reason = "the one reviewed load of compiled code; see the module's documentation")]
        // SAFETY: `code` was produced by `Engine::precompile_component` of this very build (the name
        // holds the engine's compatibility hash), written by this user into a folder that only this
        // user can write, and its hash is intact.
        let component = unsafe { Component::deserialize(engine, code) };
        component.inspect_err(|error| tracing::warn!(%error, "compiled code does not fit; compiling again")).ok()
    }

    /// Keeps code for a component; readers see the whole file or none.
    ///
    /// # Errors
    ///
    /// Fails when the file cannot be written, for instance because the disk is full.
    pub fn store(&self, digest: &str, code: &[u8]) -> io::Result<()> {
        let path = self.path(digest).ok_or(io::ErrorKind::InvalidInput)?;
        let mut file = tempfile::Builder::new().prefix(".compiling-").tempfile_in(&self.folder)?;
        file.write_all(&Sha256::digest(code))?;
        file.write_all(code)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }

    /// Returns where the code is, or `None` for a digest that is not one: it becomes a file name.
    fn path(&self, digest: &str) -> Option<PathBuf> {
        let whole = digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit());
        whole.then(|| self.folder.join(format!("{digest}-{}.cwasm", self.engine_hash)))
    }
}

/// Names this build of the engine: version, settings and processor features.
fn engine_hash(engine: &Engine) -> String {
    struct Sha256Hasher(Sha256);
    impl Hasher for Sha256Hasher {
        fn write(&mut self, bytes: &[u8]) {
            self.0.update(bytes);
        }
        fn finish(&self) -> u64 {
            let hash = self.0.clone().finalize();
            u64::from_le_bytes([hash[0], hash[1], hash[2], hash[3], hash[4], hash[5], hash[6], hash[7]])
        }
    }
    let mut hasher = Sha256Hasher(Sha256::new());
    engine.precompile_compatibility_hash().hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::configuration::{Allocation, build};
    use std::os::unix::fs::PermissionsExt;

    /// The smallest component: the header alone.
    const EMPTY_COMPONENT: &[u8] = b"\0asm\x0d\0\x01\0";
    const DIGEST: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

    fn cache() -> (tempfile::TempDir, Engine, CompiledCache) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (engine, _) = build(Allocation::OnDemand).expect("an engine");
        let cache = CompiledCache::open(&folder.path().join("compiled"), &engine).expect("a private folder");
        let code = engine.precompile_component(EMPTY_COMPONENT).expect("the empty component compiles");
        cache.store(DIGEST, &code).expect("there is room");
        (folder, engine, cache)
    }

    #[test]
    fn what_was_stored_is_loaded() {
        let (_folder, engine, cache) = cache();
        assert!(cache.load(DIGEST, &engine).is_some());
        assert!(cache.load(&DIGEST.replace('e', "f"), &engine).is_none());
    }

    #[test]
    fn a_flipped_bit_or_a_cut_end_is_compiled_again() {
        let (_folder, engine, cache) = cache();
        let path = cache.path(DIGEST).expect("a digest");
        let whole = fs::read(&path).expect("the file");
        let mut flipped = whole.clone();
        flipped[whole.len() / 2] ^= 1;
        for damaged in [&flipped[..], &whole[..whole.len() - 1], &whole[..10], &[]] {
            fs::write(&path, damaged).expect("the file can be damaged");
            assert!(cache.load(DIGEST, &engine).is_none());
        }
    }

    #[test]
    fn a_link_in_place_of_a_file_is_not_followed() {
        let (folder, engine, cache) = cache();
        let path = cache.path(DIGEST).expect("a digest");
        let elsewhere = folder.path().join("elsewhere");
        fs::rename(&path, &elsewhere).expect("the file moves");
        std::os::unix::fs::symlink(&elsewhere, &path).expect("a link");
        assert!(cache.load(DIGEST, &engine).is_none());
    }

    #[test]
    fn a_digest_cannot_leave_the_folder() {
        let (_folder, engine, cache) = cache();
        assert!(cache.load("../../etc/passwd", &engine).is_none());
        assert!(cache.store("../x", b"").is_err());
    }

    #[test]
    fn a_folder_that_others_can_write_is_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).expect("our folder");
        let (engine, _) = build(Allocation::OnDemand).expect("an engine");
        assert!(matches!(CompiledCache::open(folder.path(), &engine), Err(CacheError::NotPrivate { .. })));
    }
}
