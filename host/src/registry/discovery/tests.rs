//! Folders of plugins, sound and otherwise.

use expect_test::{Expect, expect};

use super::super::fixture::{bare_producer, command, folder, manifest, producer, shorten, shown_error};
use super::*;

#[expect(clippy::needless_pass_by_value, reason = "tests pass literals")]
fn check(folders: &[&Path], expected: Expect) {
    let discovered = discover(&folders.iter().map(|folder| folder.to_path_buf()).collect::<Vec<_>>());
    expected.assert_eq(&shown(&discovered, folders));
}

fn shown(discovered: &Discovered, folders: &[&Path]) -> String {
    let mut text = String::new();
    for plugin in &discovered.plugins {
        let source = plugin.component.as_ref().map(|component| format!("{:?}", component.source));
        let format = plugin.manifest.format;
        text.push_str(&shorten(&format!("{} {format:?} {} {source:?}\n", plugin.name(), plugin.origin), folders));
    }
    for failure in &discovered.failures {
        let error = shown_error(&failure.error, folders);
        text.push_str(&shorten(&format!("{}: {error}\n", failure.path.display()), folders));
    }
    text
}

fn flat(name: &str, image: &str) -> String {
    format!("{{name: {name}, driver: Job, spec: {{image: {image}}}}}")
}

#[test]
fn one_bad_file_does_not_hide_the_others() {
    let folder = folder(&[
        ("a.wasm", &producer(&manifest("first"))),
        ("b.wasm", b"\0asm\x01\0\0\0"),
        ("c.yaml", b"a: [\n"),
        ("d.wasm", &producer(&manifest("second"))),
        ("e.yaml", flat("image", "busybox").as_bytes()),
        ("f.wasm", &producer("name: [")),
        ("notes.txt", b"not read"),
        (".hidden.wasm", b"not read"),
    ]);
    check(
        &[folder.path()],
        expect![[r#"
        first Porthole `DIR0/a.wasm` Some("File(DIR0/a.wasm)")
        second Porthole `DIR0/d.wasm` Some("File(DIR0/d.wasm)")
        DIR0/b.wasm: the component cannot be used: the file holds a core module, not a component; build it for `wasm32-wasip2`, or wrap it with `wasm-tools component new`
        DIR0/c.yaml: the definition cannot be used: line 2, column 1: did not find expected node content, while parsing a flow node
        DIR0/e.yaml: the definition cannot be used: `spec.image` is `busybox`, which is a container image; Porthole runs WebAssembly components (`.wasm` files)
        DIR0/f.wasm: the manifest in the component's section `porthole:manifest` cannot be used: line 2, column 1: did not find expected node content, while parsing a flow node
    "#]],
    );
}

#[test]
fn a_definition_is_joined_with_its_component_and_wins() {
    let folder = folder(&[
        ("plugin.yaml", flat("renamed", "./deep.wasm").as_bytes()),
        ("deep.wasm", &producer(&manifest("embedded"))),
        ("same.yml", manifest("beside").as_bytes()),
        ("same.wasm", &bare_producer()),
        ("gone.json", br#"{"name":"gone","driver":"Job","spec":{"image":"gone.wasm"}}"#),
        ("lonely.yaml", manifest("nobody").as_bytes()),
        ("kops.yaml", b"{name: ex1, type: shell-exec, behavior: sync-enforce, command: ls}"),
    ]);
    check(
        &[folder.path()],
        expect![[r#"
        ex1 Kops `DIR0/kops.yaml` None
        renamed Flat `DIR0/plugin.yaml` Some("File(DIR0/deep.wasm)")
        beside Porthole `DIR0/same.yml` Some("File(DIR0/same.wasm)")
        DIR0/gone.json: plugin `gone`: the component `DIR0/gone.wasm` cannot be used: it cannot be read: No such file or directory (os error 2)
        DIR0/lonely.yaml: plugin `nobody` names no component, and there is none beside its definition (looked for `lonely.wasm`, `nobody.wasm`)
    "#]],
    );
}

#[test]
fn sonobuoys_form_keeps_the_requests_of_the_component() {
    let with_requests = "{apiVersion: porthole.dev/v1alpha1, kind: Plugin, metadata: {name: a, version: 1.2.3}, \
                         spec: {producer: {driver: Job}, requests: {kubernetes: [{apiGroups: [''], resources: [pods], verbs: [list]}]}}}";
    let folder = folder(&[("a.wasm", &producer(with_requests)), ("b.yaml", flat("b", "a.wasm").as_bytes())]);
    let discovered = discover(&[folder.path().to_owned()]);
    let plugin = &discovered.plugins[0].manifest;
    assert_eq!((plugin.name.as_str(), plugin.version.as_str()), ("b", "1.2.3"));
    assert_eq!(plugin.requests.kubernetes.len(), 1);
}

#[test]
fn a_component_with_a_broken_definition_does_not_run_without_it() {
    let folder = folder(&[("a.wasm", &producer(&manifest("a"))), ("a.yaml", b"kind: Nothing")]);
    let discovered = discover(&[folder.path().to_owned()]);
    assert!(discovered.plugins.is_empty());
    assert_eq!(discovered.failures.len(), 1);
}

#[test]
fn only_commands_go_without_a_manifest() {
    let folder = folder(&[("my_tool.wasm", &command()), ("producer.wasm", &bare_producer())]);
    check(
        &[folder.path()],
        expect![[r#"
        my-tool Implied `DIR0/my_tool.wasm` Some("File(DIR0/my_tool.wasm)")
        DIR0/producer.wasm: the component has no manifest inside and no definition beside it (`producer.yaml`); only command components (`wasi:cli/run`) go without
    "#]],
    );
    let mut named = Discovered::default();
    named.add_file(&folder.path().join("producer.wasm"));
    expect![[r#"
        producer Implied `DIR0/producer.wasm` Some("File(DIR0/producer.wasm)")
    "#]]
    .assert_eq(&shown(&named, &[folder.path()]));
}

#[test]
fn the_first_of_two_names_is_used_and_the_other_said() {
    let first = folder(&[("a.wasm", &producer(&manifest("same")))]);
    let second = folder(&[("b.wasm", &producer(&manifest("same")))]);
    check(
        &[first.path(), second.path()],
        expect![[r#"
        same Porthole `DIR0/a.wasm` Some("File(DIR0/a.wasm)")
        DIR1/b.wasm: the plugin `same` was already found in `DIR0/a.wasm`, which is used
    "#]],
    );
    check(
        &[second.path(), first.path()],
        expect![[r#"
        same Porthole `DIR0/b.wasm` Some("File(DIR0/b.wasm)")
        DIR1/a.wasm: the plugin `same` was already found in `DIR0/b.wasm`, which is used
    "#]],
    );
}

#[test]
fn a_file_replaces_the_hosts_own_plugin_without_complaint() {
    let folder = folder(&[("a.wasm", &producer(&manifest("same")))]);
    let mut discovered = discover(&[folder.path().to_owned()]);
    let embedded = |name: &str| Candidate::from_bytes("x", producer(&manifest(name)).into()).expect("a component");
    discovered.insert(embedded("same"));
    discovered.insert(embedded("own"));
    expect![[r#"
        same Porthole `DIR0/a.wasm` Some("File(DIR0/a.wasm)")
        own Porthole the host itself Some("Bytes(252)")
    "#]]
    .assert_eq(&shown(&discovered, &[folder.path()]));
}

#[test]
fn a_folder_that_is_not_there_is_empty_and_one_that_is_a_file_is_said() {
    let folder = folder(&[("a.txt", b"")]);
    check(&[&folder.path().join("missing")], expect![[""]]);
    check(
        &[&folder.path().join("a.txt")],
        expect![[r#"
        DIR0: it cannot be read: Not a directory (os error 20)
    "#]],
    );
}

#[test]
fn a_component_that_changed_is_not_loaded() {
    let folder = folder(&[("a.wasm", &producer(&manifest("a")))]);
    let discovered = discover(&[folder.path().to_owned()]);
    let component = discovered.plugins[0].component.as_ref().expect("a component");
    assert_eq!(component.load().expect("unchanged").as_ref(), producer(&manifest("a")));
    std::fs::write(folder.path().join("a.wasm"), producer(&manifest("b"))).expect("a change");
    assert!(matches!(component.load(), Err(RegistryError::Changed { .. })));
}

#[test]
fn a_file_beyond_the_bound_is_not_read() {
    let folder = folder(&[("a.yaml", &vec![b' '; 256 * 1024 + 1])]);
    check(
        &[folder.path()],
        expect![[r#"
        DIR0/a.yaml: it has more than the 262144 bytes that are read
    "#]],
    );
}
