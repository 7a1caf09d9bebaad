//! Transcripts of command lines: what was typed, what was said on both streams, and the exit code.
//!
//! What differs from run to run is replaced: ids, times, sizes of memory, and the folder of the test.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use regex::Regex;

/// Runs each line of `commands` in a copy of `folder` and returns the transcript.
///
/// A line is split into words at blanks; `'…'` keeps blanks. `$GUESTS`, `$TRUTH` and `$HERE` are folders.
/// A line that begins with `!` is run by the shell, for preparations that are part of the case; `$PORTHOLE` is
/// the program there.
pub(crate) fn record(commands: &str, folder: &Path, guests: &Path, truth: &Path) -> Result<String, Box<dyn Error>> {
    let scratch = tempfile::tempdir()?;
    let here = scratch.path().join("here");
    copy(folder, &here)?;
    let mut transcript = String::new();
    for line in commands.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')) {
        let mut command = if let Some(script) = line.strip_prefix('!') {
            let mut shell = Command::new("sh");
            shell.args(["-euc", script]);
            shell
        } else {
            let mut words = words(line).into_iter();
            let program = words.next().unwrap_or_default();
            assert_eq!(program, "porthole", "a case runs porthole, or the shell with `!`: {line}");
            let mut command = Command::new(env!("CARGO_BIN_EXE_porthole"));
            command.args(words.map(|word| place(&word, guests, truth, &here)));
            command
        };
        let output = command
            .current_dir(&here)
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", scratch.path())
            .env("GUESTS", guests)
            .env("PORTHOLE", env!("CARGO_BIN_EXE_porthole"))
            .env("TRUTH", truth)
            .env("PORTHOLE_STATE_DIR", scratch.path().join("state"))
            .env("PORTHOLE_CACHE_DIR", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
            .output()?;
        writeln!(transcript, "$ {line}")?;
        for (name, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
            let text = String::from_utf8_lossy(bytes);
            let text = redact(&text, &[(&here, "$HERE"), (guests, "$GUESTS"), (truth, "$TRUTH")]);
            if !text.is_empty() {
                writeln!(transcript, "--- {name}\n{}", text.trim_end())?;
            }
        }
        let code = output.status.code().map_or_else(|| output.status.to_string(), |code| code.to_string());
        writeln!(transcript, "--- exit {code}\n")?;
    }
    Ok(transcript)
}

fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut begun) = (Vec::new(), String::new(), false, false);
    for letter in line.chars() {
        match letter {
            '\'' => (quoted, begun) = (!quoted, true),
            ' ' if !quoted => {
                if begun {
                    words.push(std::mem::take(&mut word));
                }
                begun = false;
            }
            letter => {
                word.push(letter);
                begun = true;
            }
        }
    }
    if begun {
        words.push(word);
    }
    words
}

fn place(word: &str, guests: &Path, truth: &Path, here: &Path) -> String {
    let folder = |path: &Path| path.display().to_string();
    word.replace("$GUESTS", &folder(guests)).replace("$TRUTH", &folder(truth)).replace("$HERE", &folder(here))
}

fn redact(text: &str, folders: &[(&Path, &str)]) -> String {
    let mut text = text.to_owned();
    for (folder, name) in folders {
        text = text.replace(&folder.display().to_string(), name);
    }
    let patterns = [
        (r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", "<id>"),
        (r"\b\d{12}_(porthole|sonobuoy)_", "<time>_${1}_"),
        (r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "<instant>"),
        (r"\(it had used [^)]*\)", "(it had used <usage>)"),
        (r"\b[0-9a-f]{64}\b", "<sha256>"),
        // Columns are as wide as the longest time in them.
        (r" {2,}\d+(\.\d+)?m?s\b {2,}", "  <time>  "),
        (r" {2,}TIME {2,}", "  TIME  "),
        (r#"("(durationMilliseconds|microseconds|size|calls|bytes)": )\d+"#, "${1}<number>"),
    ];
    for (pattern, name) in patterns {
        let pattern = Regex::new(pattern).expect("a constant");
        text = pattern.replace_all(&text, name).into_owned();
    }
    text
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else if entry.file_name() != "cmd" && entry.file_name() != "expected" {
            std::fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
