//! Selecting plugins as the command line names them.

use expect_test::{Expect, expect};

use super::super::discover;
use super::super::fixture::{bare_producer, folder, manifest, producer, shorten, shown_error};
use super::*;

#[expect(clippy::needless_pass_by_value, reason = "tests pass literals")]
fn check(installed: &Path, arguments: &[String], folders: &[&Path], expected: Expect) {
    let text = match select(discover(&[installed.to_owned()]), arguments) {
        Ok(selected) => {
            let names: Vec<_> = selected.plugins.iter().map(Candidate::name).collect();
            format!("{} ({} failures)", names.join(" "), selected.failures.len())
        }
        Err(error) => format!("{}\nhint: {:?}", shown_error(&error, folders), error.hint()),
    };
    expected.assert_eq(&shorten(&text, folders));
}

#[test]
fn names_files_and_folders_are_resolved() {
    let installed = folder(&[
        ("a.wasm", &producer(&manifest("alpha"))),
        ("b.wasm", &producer(&manifest("beta"))),
        ("broken.wasm", b"oops"),
    ]);
    let other = folder(&[("bare@1.wasm", &bare_producer()), ("z.wasm", &producer(&manifest("zeta")))]);
    let path = |name: &str| other.path().join(name).display().to_string();
    let run = |arguments: &[&str], expected: Expect| {
        let arguments: Vec<_> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
        check(installed.path(), &arguments, &[installed.path(), other.path()], expected);
    };
    run(&[], expect!["alpha beta (1 failures)"]);
    run(&["beta"], expect!["beta (0 failures)"]);
    run(&["beta@gamma", "beta"], expect!["gamma beta (0 failures)"]);
    run(&[&path("z.wasm")], expect!["zeta (0 failures)"]);
    run(
        &[&format!("{}@bare", path("bare@1.wasm"))],
        expect![[r#"
        `DIR1/bare@1.wasm` cannot be used: the definition cannot be used: `file name` is `bare@1`: a plugin's name has only lower-case letters, digits, `-` and `.`, and begins and ends with a letter or digit
        hint: None"#]],
    );
    run(
        &[&path("bare@1.wasm")],
        expect![[r#"
        `DIR1/bare@1.wasm` cannot be used: the definition cannot be used: `file name` is `bare@1`: a plugin's name has only lower-case letters, digits, `-` and `.`, and begins and ends with a letter or digit
        hint: None"#]],
    );
    run(&[installed.path().to_str().expect("a path of text")], expect!["alpha beta (1 failures)"]);
    run(
        &[&format!("{}@x", installed.path().display())],
        expect![[r#"
        `DIR0@x` renames 2 plugins; a new name is for one plugin
        hint: None"#]],
    );
    run(
        &["alhpa"],
        expect![[r#"
            there is no plugin, file or folder `alhpa` (plugins: alpha, beta)
            hint: Some("did you mean `alpha`?")"#]],
    );
    run(
        &["broken"],
        expect![[r#"
        `DIR0/broken.wasm` cannot be used: the component cannot be used: the file is not WebAssembly; it begins with the bytes 6f 6f 70 73
        hint: None"#]],
    );
    run(
        &["beta", "beta"],
        expect![[r#"
        two plugins are called `beta`: `DIR0/b.wasm` and `DIR0/b.wasm`; rename one with `beta@newname`
        hint: None"#]],
    );
    run(
        &["alpha@beta", "beta"],
        expect![[r#"
        two plugins are called `beta`: `DIR0/a.wasm` and `DIR0/b.wasm`; rename one with `beta@newname`
        hint: None"#]],
    );
    run(
        &["alpha@Bad_Name"],
        expect![[r#"
        `alpha@Bad_Name` cannot be renamed so: `new name` is `Bad_Name`: a plugin's name has only lower-case letters, digits, `-` and `.`, and begins and ends with a letter or digit
        hint: None"#]],
    );
    run(
        &[&path("missing.wasm")],
        expect![[r#"
        there is no plugin, file or folder `DIR1/missing.wasm` (plugins: alpha, beta)
        hint: None"#]],
    );
}
