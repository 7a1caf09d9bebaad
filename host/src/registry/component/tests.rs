//! Files that are components, and files that are not.

use expect_test::{Expect, expect};

use super::super::fixture::{bare_producer, component, producer};
use super::*;

#[expect(clippy::needless_pass_by_value, reason = "tests pass literals")]
fn refused(bytes: &[u8], expected: Expect) {
    expected.assert_eq(&inspect(bytes).expect_err("not a component").to_string());
}

#[test]
fn a_producer_is_known_by_its_export() {
    let facts = inspect(&producer("name: a")).expect("a component");
    assert_eq!(facts.worlds, [World::Producer]);
    assert_eq!(facts.manifest.as_deref(), Some("name: a"));
    assert_eq!(facts.imports, [Interface::parse("porthole:plugin/log@0.1.0")]);
    assert_eq!(facts.digest.len(), "sha256:".len() + 64);
}

#[test]
fn a_command_is_one_that_exports_nothing_of_porthole() {
    let worlds = |exports: &[&str]| inspect(&component(&[], exports, &[], &[])).map(|facts| facts.worlds);
    assert_eq!(worlds(&["wasi:cli/run@0.2.0"]), Ok(vec![World::Command]));
    assert_eq!(worlds(&["wasi:cli/run@0.2.0", "porthole:plugin/producer@0.1.0"]), Ok(vec![World::Producer]));
}

#[test]
fn the_digest_is_that_of_the_bytes() {
    assert_eq!(digest(b""), "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

#[test]
fn the_manifest_may_lie_in_the_component_or_its_module() {
    let export = &["porthole:plugin/producer@0.1.0"];
    let inside = component(&[], export, &["a"], &[]);
    let outside = component(&[], export, &[], &["b"]);
    assert_eq!(inspect(&inside).expect("a component").manifest.as_deref(), Some("a"));
    assert_eq!(inspect(&outside).expect("a component").manifest.as_deref(), Some("b"));
    assert_eq!(inspect(&bare_producer()).expect("a component").manifest, None);
    refused(
        &component(&[], export, &["a"], &["b"]),
        expect!["it has 2 sections `porthole:manifest` where one is wanted"],
    );
    refused(
        &component(&[], export, &["a", "b"], &[]),
        expect!["it has 2 sections `porthole:manifest` where one is wanted"],
    );
}

#[test]
fn a_manifest_of_a_nested_component_is_not_its_own() {
    let text = r#"(component
        (component (core module (@custom "porthole:manifest" "inner")) (@custom "porthole:manifest" "inner"))
        (instance $empty) (export "porthole:plugin/producer@0.1.0" (instance $empty)))"#;
    let bytes = wat::parse_str(text).expect("a component in text");
    assert_eq!(inspect(&bytes).expect("a component").manifest, None);
}

#[test]
fn a_long_manifest_is_refused() {
    let long = "x".repeat(256 * 1024 + 1);
    refused(&producer(&long), expect!["its section `porthole:manifest` has 262145 bytes; at most 262144 are read"]);
}

#[test]
fn a_core_module_is_refused_with_what_to_do() {
    refused(
        b"\0asm\x01\0\0\0",
        expect![
            "the file holds a core module, not a component; build it for `wasm32-wasip2`, or wrap it with `wasm-tools component new`"
        ],
    );
}

#[test]
fn text_and_foreign_files_are_told_apart() {
    refused(b"", expect!["the file is empty"]);
    refused(
        b";; a comment\n(component)",
        expect![
            "the file holds WebAssembly text; turn it into a component first, for instance with `wasm-tools parse`"
        ],
    );
    refused(b"\x7fELF\x02", expect!["the file is not WebAssembly; it begins with the mark of a native program (ELF)"]);
    refused(b"#!/bin/sh\n", expect!["the file is not WebAssembly; it begins with `#!`, the mark of a script"]);
    refused(b"\x1f\x8b\x08", expect!["the file is not WebAssembly; it begins with the mark of a gzip archive"]);
    refused(b"\x89PNG\r\n", expect!["the file is not WebAssembly; it begins with the bytes 89 50 4e 47"]);
}

#[test]
fn a_file_cut_anywhere_is_refused_and_never_a_panic() {
    let whole = producer("name: a");
    let mut whole_enough = 0;
    for length in 0..whole.len() {
        // A cut between two sections leaves a sound, smaller component; it lacks the exports at the end.
        // The last section only holds names for debugging, so the cut before it leaves all that counts.
        let Err(error) = inspect(&whole[..length]) else {
            whole_enough += 1;
            continue;
        };
        let expected = matches!(
            error,
            ComponentError::Truncated { .. } | ComponentError::Empty | ComponentError::UnknownWorld { .. }
        );
        assert!(expected, "{length}: {error:?}");
    }
    assert_eq!(whole_enough, 1);
}

#[test]
fn changed_bytes_are_never_a_panic() {
    let whole = producer("name: a");
    for index in 0..whole.len() {
        for value in [0, 0x7f, 0x80, 0xff] {
            let mut bytes = whole.clone();
            bytes[index] = value;
            drop(inspect(&bytes));
        }
    }
}

#[test]
fn an_unknown_world_lists_the_known_ones() {
    refused(
        &component(&[], &["other:thing/api@1.0.0"], &[], &[]),
        expect![
            "it implements no world that this host knows (known worlds: producer (exports `porthole:plugin/producer@0.1.0`), command (exports `wasi:cli/run@0.2.x`)); it exports `other:thing/api@1.0.0`"
        ],
    );
    refused(
        &component(&[], &[], &[], &[]),
        expect![
            "it implements no world that this host knows (known worlds: producer (exports `porthole:plugin/producer@0.1.0`), command (exports `wasi:cli/run@0.2.x`)); it exports nothing"
        ],
    );
}

#[test]
fn exports_and_imports_of_other_versions_name_both() {
    refused(
        &component(&[], &["porthole:plugin/producer@0.2.0"], &[], &[]),
        expect![
            "it exports `porthole:plugin/producer@0.2.0`: the plugin needs version 0.2.0, this host has 0.1.0; use a newer host"
        ],
    );
    refused(
        &component(&[], &["wasi:cli/run@0.3.0"], &[], &[]),
        expect![
            "it exports `wasi:cli/run@0.3.0`: the plugin needs version 0.3.0, this host has 0.2.12; use a newer host"
        ],
    );
    let import = |name| component(&[name], &["porthole:plugin/producer@0.1.0"], &[], &[]);
    refused(
        &import("porthole:plugin/kubernetes@0.1.7"),
        expect![
            "it imports `porthole:plugin/kubernetes@0.1.7`: the plugin needs version 0.1.7, this host has 0.1.0; use a newer host"
        ],
    );
    refused(
        &import("porthole:plugin/teleport@0.1.0"),
        expect![
            "it imports `porthole:plugin/teleport@0.1.0`: this host has `porthole:plugin@0.1.0` with config, kubernetes, kubernetes-types, kubernetes-write, log, progress, results, run-context"
        ],
    );
    refused(
        &import("wasi:http/outgoing-handler@0.2.0"),
        expect![
            "it imports `wasi:http/outgoing-handler@0.2.0`: this host has WASI 0.2.12 with wasi:cli, wasi:clocks, wasi:filesystem, wasi:io, wasi:random, wasi:sockets"
        ],
    );
}
