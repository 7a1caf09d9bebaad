//! Imports, exports and the manifest of a component, from its sections.

use wasmparser::{Encoding, Parser, Payload};

use super::super::contract::Interface;
use super::{ComponentError, MANIFEST_SECTION};

/// Most imports and exports that are read. Without it, a component of names alone would be held in memory
/// several times over; real ones have a few dozen.
const NAMES: usize = 10_000;

/// How deep a manifest may lie: in the component itself, or in a module directly inside it, which is where
/// a compiler puts a section of the program. Deeper ones belong to components that were composed in.
const MANIFEST_DEPTH: usize = 1;

/// What the sections of a component say.
pub(super) struct Sections<'a> {
    /// What it imports, sorted.
    pub(super) imports: Vec<Interface>,
    /// What it exports, sorted.
    pub(super) exports: Vec<Interface>,
    /// The content of each manifest section, in the order of the file.
    pub(super) manifests: Vec<&'a [u8]>,
}

/// Reads the sections of a component; nested components and code are passed over.
pub(super) fn read(bytes: &[u8]) -> Result<Sections<'_>, ComponentError> {
    let mut sections = Sections { imports: Vec::new(), exports: Vec::new(), manifests: Vec::new() };
    // Whether each open part, outermost first, is a component.
    let mut open: Vec<Encoding> = Vec::new();
    let failed = |error: &wasmparser::BinaryReaderError| damage(error, bytes.len());
    for payload in Parser::new(0).parse_all(bytes) {
        let payload = payload.map_err(|error| failed(&error))?;
        let depth = open.len().saturating_sub(1);
        match payload {
            Payload::Version { encoding, .. } => open.push(encoding),
            Payload::End(_) => {
                open.pop();
            }
            Payload::ComponentImportSection(section) if depth == 0 => {
                for import in section {
                    sections.imports.push(Interface::parse(import.map_err(|error| failed(&error))?.name.name));
                    check_count(&sections)?;
                }
            }
            Payload::ComponentExportSection(section) if depth == 0 => {
                for export in section {
                    sections.exports.push(Interface::parse(export.map_err(|error| failed(&error))?.name.name));
                    check_count(&sections)?;
                }
            }
            Payload::CustomSection(section) if section.name() == MANIFEST_SECTION => {
                let of_a_component = depth > 0 && open.last() == Some(&Encoding::Component);
                if depth <= MANIFEST_DEPTH && !of_a_component {
                    sections.manifests.push(section.data());
                }
            }
            _ => {}
        }
    }
    sections.imports.sort();
    sections.exports.sort();
    Ok(sections)
}

fn check_count(sections: &Sections<'_>) -> Result<(), ComponentError> {
    if sections.imports.len() + sections.exports.len() > NAMES {
        return Err(ComponentError::TooManyNames { limit: NAMES });
    }
    Ok(())
}

fn damage(error: &wasmparser::BinaryReaderError, bytes: usize) -> ComponentError {
    let reason = error.message().to_owned();
    if error.offset() >= bytes || reason.contains("unexpected end") {
        return ComponentError::Truncated { bytes };
    }
    if error.offset() <= 8 {
        return ComponentError::UnknownEncoding { reason };
    }
    ComponentError::Damaged { offset: error.offset(), reason }
}
