//! What a component is and wants, read from its bytes without the engine.

mod sections;

use porthole_core::limits;
use sha2::{Digest, Sha256};
use thiserror::Error;

use super::contract::{Interface, World};

/// The custom section that holds a plugin's manifest, as YAML or JSON text.
pub const MANIFEST_SECTION: &str = "porthole:manifest";

/// What a component is and wants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComponentFacts {
    /// `sha256:` and the digest of the bytes in hexadecimal.
    pub digest: String,
    /// What the host can do with it; never empty.
    pub worlds: Vec<World>,
    /// What it imports, sorted; all of it is served by this host.
    pub imports: Vec<Interface>,
    /// What it exports, sorted.
    pub exports: Vec<Interface>,
    /// The text of its manifest; `None` when it brought none.
    pub manifest: Option<String>,
}

/// Why bytes are no component that this host can run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ComponentError {
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The text format of WebAssembly.
    #[error("the file holds WebAssembly text; turn it into a component first, for instance with `wasm-tools parse`")]
    Text,
    /// Something else altogether.
    #[error("the file is not WebAssembly; it begins with {found}")]
    NotWasm {
        /// What it begins with.
        found: String,
    },
    /// A core module, such as the target `wasm32-wasip1` gives.
    #[error(
        "the file holds a core module, not a component; build it for `wasm32-wasip2`, or wrap it with `wasm-tools component new`"
    )]
    CoreModule,
    /// A component of a binary format that is not known.
    #[error("the file holds a component in an encoding that this host does not know: {reason}")]
    UnknownEncoding {
        /// What the parser said.
        reason: String,
    },
    /// The file ends too early.
    #[error("the file is cut off after {bytes} bytes")]
    Truncated {
        /// Its length in bytes.
        bytes: usize,
    },
    /// The file is damaged.
    #[error("the file is damaged at byte {offset}: {reason}")]
    Damaged {
        /// Where, from the start of the file.
        offset: usize,
        /// What the parser said.
        reason: String,
    },
    /// There are more imports and exports than are read.
    #[error("it has more than {limit} imports and exports")]
    TooManyNames {
        /// The most that are read.
        limit: usize,
    },
    /// The manifest is there more than once.
    #[error("it has {count} sections `{}` where one is wanted", MANIFEST_SECTION)]
    SeveralManifests {
        /// How often.
        count: usize,
    },
    /// The manifest is longer than is read.
    #[error("its section `{}` has {bytes} bytes; at most {limit} are read", MANIFEST_SECTION)]
    LargeManifest {
        /// Its length in bytes.
        bytes: usize,
        /// The most that is read, in bytes.
        limit: u64,
    },
    /// The manifest is not text.
    #[error("its section `{}` is not text in UTF-8", MANIFEST_SECTION)]
    ManifestNotText,
    /// It exports nothing that the host can call.
    #[error("it implements no world that this host knows (known worlds: {}); it exports {}", World::KNOWN.join(", "), listed(found))]
    UnknownWorld {
        /// What it exports; at most eight.
        found: Vec<String>,
    },
    /// It exports a known interface in a version that the host cannot call.
    #[error("it exports `{interface}`: {reason}")]
    UnsupportedExport {
        /// The export.
        interface: Interface,
        /// Why it cannot be called, with both versions.
        reason: String,
    },
    /// It imports something that the host does not offer.
    #[error("it imports `{interface}`: {reason}")]
    UnsupportedImport {
        /// The import.
        interface: Interface,
        /// Why it is not offered, with both versions where it is a matter of versions.
        reason: String,
    },
}

fn listed(found: &[String]) -> String {
    if found.is_empty() { "nothing".to_owned() } else { format!("`{}`", found.join("`, `")) }
}

/// Reads what a component is and wants.
///
/// Cost: linear in the bytes; code is skipped, not validated, which the engine does when it compiles.
///
/// # Errors
///
/// [`ComponentError`], with the imports checked in the order of their names.
pub fn inspect(bytes: &[u8]) -> Result<ComponentFacts, ComponentError> {
    check_kind(bytes)?;
    let sections = sections::read(bytes)?;
    let manifest = match sections.manifests.as_slice() {
        [] => None,
        [section] => Some(manifest_text(section)?),
        several => return Err(ComponentError::SeveralManifests { count: several.len() }),
    };
    let worlds = World::of(&sections.exports)
        .map_err(|(interface, reason)| ComponentError::UnsupportedExport { interface, reason })?;
    if worlds.is_empty() {
        let found = sections.exports.iter().take(8).map(ToString::to_string).collect();
        return Err(ComponentError::UnknownWorld { found });
    }
    for interface in &sections.imports {
        if let Some(reason) = interface.refusal() {
            return Err(ComponentError::UnsupportedImport { interface: interface.clone(), reason });
        }
    }
    let digest = digest(bytes);
    Ok(ComponentFacts { digest, worlds, imports: sections.imports, exports: sections.exports, manifest })
}

/// Returns `sha256:` and the digest of `bytes` in hexadecimal.
pub(super) fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold("sha256:".to_owned(), |text, byte| format!("{text}{byte:02x}"))
}

fn manifest_text(section: &[u8]) -> Result<String, ComponentError> {
    if u64::try_from(section.len()).map_or(true, |bytes| bytes > limits::MANIFEST) {
        return Err(ComponentError::LargeManifest { bytes: section.len(), limit: limits::MANIFEST });
    }
    std::str::from_utf8(section).map(str::to_owned).map_err(|_| ComponentError::ManifestNotText)
}

/// Tells a component from what else people put into `.wasm` files.
fn check_kind(bytes: &[u8]) -> Result<(), ComponentError> {
    const MAGIC: &[u8] = b"\0asm";
    if bytes.is_empty() {
        return Err(ComponentError::Empty);
    }
    if !bytes.starts_with(MAGIC) {
        if MAGIC.starts_with(bytes) {
            return Err(ComponentError::Truncated { bytes: bytes.len() });
        }
        return Err(foreign(bytes));
    }
    match bytes.get(4..8) {
        None => Err(ComponentError::Truncated { bytes: bytes.len() }),
        // The last two bytes are the layer: 0 for modules, 1 for components.
        Some([_, _, 0, 0]) => Err(ComponentError::CoreModule),
        Some(_) => Ok(()),
    }
}

fn foreign(bytes: &[u8]) -> ComponentError {
    let start = &bytes[..bytes.len().min(1024)];
    let text = String::from_utf8_lossy(start);
    let code = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with(";;")).unwrap_or("");
    if code.starts_with("(component") || code.starts_with("(module") {
        return ComponentError::Text;
    }
    let found = match start {
        [0x7f, b'E', b'L', b'F', ..] => "the mark of a native program (ELF)".to_owned(),
        [0x1f, 0x8b, ..] => "the mark of a gzip archive".to_owned(),
        [b'P', b'K', 3, 4, ..] => "the mark of a zip archive".to_owned(),
        [b'#', b'!', ..] => "`#!`, the mark of a script".to_owned(),
        _ => {
            let bytes: Vec<_> = start.iter().take(4).map(|byte| format!("{byte:02x}")).collect();
            format!("the bytes {}", bytes.join(" "))
        }
    };
    ComponentError::NotWasm { found }
}

#[cfg(test)]
mod tests;
