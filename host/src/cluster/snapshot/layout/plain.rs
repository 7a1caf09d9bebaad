//! Paths of a folder of manifests.

use super::{Hint, Role, object_stem};

/// A file of objects by its ending, or the only file whatever its name. Hidden files and folders are
/// left out, because they belong to tools (`.git`, `.github`).
pub(super) fn role(parts: &[&str]) -> Role {
    let hidden = parts.iter().any(|part| part.starts_with('.'));
    match parts {
        [.., file] if !hidden && object_stem(file).is_some() => Role::Objects(Hint::default()),
        _ => Role::Other,
    }
}
