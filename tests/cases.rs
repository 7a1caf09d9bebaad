//! Folder cases: what the binary does, from a command line to everything that it says.
//!
//! A case is a folder below `tests/cases`: `cmd` holds command lines, the other files are its input, and
//! `expected` is the whole transcript. `UPDATE_EXPECT=1 cargo test -p porthole --test cases` writes the
//! transcripts anew; read the difference before you keep it. `cargo test --test cases -- NAME` runs some.

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a test harness says what it skips, and fails by panicking"
)]

use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Failed, Trial};

#[path = "support/guests.rs"]
mod guests;
#[path = "support/transcript.rs"]
mod transcript;

fn main() {
    let root = workspace().join("tests/cases");
    let mut folders = Vec::new();
    find(&root, &mut folders);
    folders.sort();
    let guests = guests::build(&workspace());
    let trials = folders
        .into_iter()
        .map(|folder| {
            let name = folder.strip_prefix(&root).expect("below the root").display().to_string();
            let guests = guests.clone();
            Trial::test(name, move || run(&folder, &guests))
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the host's folder lies in the workspace").to_owned()
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) {
    if folder.join("cmd").is_file() {
        found.push(folder.to_owned());
        return;
    }
    for entry in std::fs::read_dir(folder).expect("the cases' folder").flatten() {
        if entry.path().is_dir() {
            find(&entry.path(), found);
        }
    }
}

fn run(folder: &Path, guests: &Path) -> Result<(), Failed> {
    let truth = workspace().join("../shared/truth");
    let commands = std::fs::read_to_string(folder.join("cmd"))?;
    if commands.contains("$TRUTH") && !truth.is_dir() {
        println!("skipped {}: the real data is not here", folder.display());
        return Ok(());
    }
    let transcript = transcript::record(&commands, folder, guests, &truth)?;
    let panicked =
        std::panic::catch_unwind(|| expect_test::expect_file![folder.join("expected")].assert_eq(&transcript));
    panicked.map_err(|_| Failed::from("the transcript differs; see above"))
}
