//! The invariants of `ARCHITECTURE.md` that the sources themselves must keep.

#![expect(clippy::expect_used, clippy::tests_outside_test_module, reason = "this file is a test")]

use std::path::{Path, PathBuf};

/// Modules of `porthole` from the lowest up; a module uses only those before it. Those on one line are
/// siblings and never use one another.
const LAYERS: [&[&str]; 10] = [
    &["causes"],
    &["cluster"],
    &["engine"],
    &["capability"],
    &["imports"],
    &["registry"],
    &["plugin"],
    &["runs"],
    &["app"],
    &["cli"],
];

/// Which crates may be named where (module, or package folder), and nowhere else.
const CRATES: [(&str, &[&str]); 3] = [
    ("kube::", &["host/src/cluster"]),
    ("wasmtime::", &["host/bindings", "host/src/engine", "host/src/imports", "host/src/plugin"]),
    ("clap::", &["host/src/cli"]),
];

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the host's folder lies in the workspace").to_owned()
}

fn sources(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources").flatten() {
        let path = entry.path();
        if path.is_dir() && path.file_name().is_some_and(|name| name != "target") {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(workspace()).expect("below the workspace").display().to_string();
            found.push((name, std::fs::read_to_string(&path).expect("a source in UTF-8")));
        }
    }
}

fn all() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for folder in ["host", "sdk", "plugins", "tests"] {
        sources(&workspace().join(folder), &mut found);
    }
    found.sort();
    found
}

/// Lines of code, without comments; what is below a file's test module counts too.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim_start()));
    numbered.filter(|(_, line)| !line.starts_with("//"))
}

#[test]
fn every_file_says_what_it_is() {
    let unsigned: Vec<_> = all()
        .into_iter()
        .filter(|(_, text)| !text.starts_with("//!") && !text.starts_with("#![doc"))
        .map(|(name, _)| name)
        .collect();
    assert!(unsigned.is_empty(), "files whose first line is no `//!`: {unsigned:#?}");
}

#[test]
fn a_module_uses_only_those_below_it() {
    let level = |module: &str| LAYERS.iter().position(|layer| layer.contains(&module));
    let mut wrong = Vec::new();
    for (name, text) in all() {
        let Some(rest) = name.strip_prefix("host/src/") else { continue };
        let module = rest.split(['/', '.']).next().unwrap_or_default();
        let Some(own) = level(module) else { continue };
        for (number, line) in code(&text) {
            for used in line.split("crate::").skip(1) {
                let used: String =
                    used.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
                if used != module && level(&used).is_some_and(|used| used >= own) {
                    wrong.push(format!("{name}:{number}: `{module}` uses `{used}`"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn host_functions_do_not_know_the_cluster() {
    for (name, text) in all().iter().filter(|(name, _)| name.starts_with("host/src/imports")) {
        for (number, line) in code(text) {
            assert!(
                !line.contains("crate::cluster"),
                "{name}:{number}: a guest reaches the cluster only through `capability`"
            );
        }
    }
}

#[test]
fn each_big_dependency_has_one_room() {
    let mut wrong = Vec::new();
    for (name, text) in all().iter().filter(|(name, _)| name.starts_with("host/") && !name.contains("benches")) {
        for (number, line) in code(text) {
            for (word, rooms) in CRATES {
                let names = line.split(word).skip(1).count() > 0 && !line.contains(&format!("_{word}"));
                if names && !rooms.iter().any(|room| name.starts_with(room)) {
                    wrong.push(format!("{name}:{number}: `{word}` belongs to {}", rooms.join(", ")));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
