//! Components in a few lines of text, for the tests of this module.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A manifest in Porthole's own form.
pub(crate) fn manifest(name: &str) -> String {
    format!(
        "{{apiVersion: porthole.dev/v1alpha1, kind: Plugin, metadata: {{name: {name}}}, spec: {{producer: {{driver: Job}}}}}}"
    )
}

/// A component with these imports and exports, and one manifest section each for `in_module` and `in_component`.
pub(crate) fn component(imports: &[&str], exports: &[&str], in_module: &[&str], in_component: &[&str]) -> Vec<u8> {
    let section = |text: &str| format!("(@custom \"porthole:manifest\" {text:?})");
    let sections = |texts: &[&str]| texts.iter().map(|text| section(text)).collect::<String>();
    let mut text = format!("(component (core module {}) {}\n", sections(in_module), sections(in_component));
    for import in imports {
        writeln!(text, "(import {import:?} (instance))").expect("writing to a string");
    }
    text.push_str("(instance $empty)\n");
    for export in exports {
        writeln!(text, "(export {export:?} (instance $empty))").expect("writing to a string");
    }
    text.push(')');
    wat::parse_str(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A producer with this text as its manifest.
pub(crate) fn producer(manifest: &str) -> Vec<u8> {
    component(&["porthole:plugin/log@0.1.0"], &["porthole:plugin/producer@0.1.0"], &[manifest], &[])
}

/// A producer without a manifest.
pub(crate) fn bare_producer() -> Vec<u8> {
    component(&[], &["porthole:plugin/producer@0.1.0"], &[], &[])
}

/// A command without a manifest.
pub(crate) fn command() -> Vec<u8> {
    component(&["wasi:cli/environment@0.2.3"], &["wasi:cli/run@0.2.3"], &[], &[])
}

/// A folder with these files.
pub(crate) fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, bytes) in files {
        std::fs::write(folder.path().join(name), bytes).expect("a file in it");
    }
    folder
}

/// Writes an error with its causes, and the folder's path as `DIR`.
pub(crate) fn shown_error(error: &dyn std::error::Error, folders: &[&Path]) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        write!(text, ": {cause}").expect("writing to a string");
        source = cause.source();
    }
    shorten(&text, folders)
}

/// Replaces the paths of folders by `DIR0`, `DIR1`, ….
pub(crate) fn shorten(text: &str, folders: &[&Path]) -> String {
    folders.iter().enumerate().fold(text.to_owned(), |text, (index, folder)| {
        text.replace(&PathBuf::from(folder).display().to_string(), &format!("DIR{index}"))
    })
}
