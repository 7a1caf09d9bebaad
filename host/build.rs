//! Builds the bundled plugins for `wasm32-wasip2` and lists them for `app::bundled`.
//!
//! They are ordinary packages of this workspace, built by the ordinary cargo with the same lock file, in a
//! target folder of their own: the outer cargo holds the lock on its folder while it waits for us.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fmt::Write as _, fs};

const TARGET: &str = "wasm32-wasip2";
const PROFILE: &str = "plugin";

/// What the outer cargo says to its own compilers, and what must not reach the inner one: wrappers such as
/// clippy's, flags for the host's linker, and the package that is being built.
const NOT_FOR_PLUGINS: [&str; 8] = [
    "CARGO_ENCODED_RUSTFLAGS",
    "RUSTFLAGS",
    "RUSTC_WRAPPER",
    "RUSTC_WORKSPACE_WRAPPER",
    "CLIPPY_ARGS",
    "CARGO_BUILD_TARGET",
    "CARGO_TARGET_DIR",
    "CARGO_PROFILE_RELEASE_DEBUG",
];

fn main() {
    if let Err(message) = build() {
        for line in message.lines() {
            println!("cargo::error={line}");
        }
        std::process::exit(1);
    }
}

fn build() -> Result<(), String> {
    let variable = |name: &str| env::var(name).map_err(|_| format!("cargo did not set `{name}`"));
    let workspace = PathBuf::from(variable("CARGO_MANIFEST_DIR")?).join("..");
    let out = PathBuf::from(variable("OUT_DIR")?);
    for path in ["plugins", "sdk", "wit", "Cargo.toml", "Cargo.lock"] {
        println!("cargo::rerun-if-changed={}", workspace.join(path).display());
    }
    let packages = packages(&workspace.join("plugins"))?;
    check_target(&variable("RUSTC")?)?;
    // out = <target>/<profile>/build/<package>/out
    let target = out.ancestors().nth(4).ok_or("the target folder has an unknown layout")?.join("plugins");
    if !packages.is_empty() {
        compile(&variable("CARGO")?, &workspace, &target, &packages)?;
    }
    let built = target.join(TARGET).join(PROFILE);
    let mut list = String::from("[\n");
    for package in &packages {
        let component = component(&built, package)?;
        let component = with_manifest(&component, &workspace.join("plugins").join(package), &out)?;
        writeln!(list, "    ({package:?}, include_bytes!({component:?})),").map_err(|error| error.to_string())?;
    }
    list.push_str("]\n");
    fs::write(out.join("bundled.rs"), list).map_err(|error| format!("{}: {error}", out.display()))
}

/// Returns the names of the bundled plugins: every folder with a manifest, sorted.
fn packages(folder: &Path) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut names: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.path().join("Cargo.toml").is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    Ok(names)
}

fn check_target(rustc: &str) -> Result<(), String> {
    let output = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .map_err(|error| format!("{rustc}: {error}"))?;
    let folder = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    if output.status.success() && Path::new(&folder).is_dir() {
        return Ok(());
    }
    Err(format!(
        "the bundled plugins are WebAssembly components, and this toolchain cannot build them yet\n\
         type: rustup target add {TARGET}"
    ))
}

fn compile(cargo: &str, workspace: &Path, target: &Path, packages: &[String]) -> Result<(), String> {
    let mut command = Command::new(cargo);
    command.current_dir(workspace).args(["build", "--quiet", "--target", TARGET, "--profile", PROFILE]);
    command.arg("--target-dir").arg(target);
    for package in packages {
        command.args(["--package", package]);
    }
    for name in NOT_FOR_PLUGINS {
        command.env_remove(name);
    }
    let output = command.output().map_err(|error| format!("{cargo}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("the bundled plugins could not be built:\n{}", String::from_utf8_lossy(&output.stderr)))
}

/// Puts the manifest of a plain program into its component; a library has it already, by the SDK's macro.
fn with_manifest(component: &Path, package: &Path, out: &Path) -> Result<PathBuf, String> {
    if package.join("src/lib.rs").is_file() {
        return Ok(component.to_owned());
    }
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let (mut bytes, manifest) = (read(component)?, read(&package.join("plugin.yaml"))?);
    let name = "porthole:manifest";
    // A custom section: id 0, its length, the length of its name, the name, the content.
    let mut section = leb128(name.len());
    section.extend_from_slice(name.as_bytes());
    section.extend_from_slice(&manifest);
    bytes.push(0);
    bytes.extend(leb128(section.len()));
    bytes.extend(section);
    let path = out.join(component.file_name().ok_or("a component without a name")?);
    fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

/// A length as WebAssembly writes it.
fn leb128(mut number: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = u8::try_from(number & 0x7f).unwrap_or(0x7f);
        number >>= 7;
        if number == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}

/// Returns the component of a package: a library's name has underscores, a program's has not.
fn component(built: &Path, package: &str) -> Result<PathBuf, String> {
    let names = [format!("{}.wasm", package.replace('-', "_")), format!("{package}.wasm")];
    names
        .iter()
        .map(|name| built.join(name))
        .find(|path| path.is_file())
        .ok_or_else(|| format!("{} has neither {}", built.display(), names.join(" nor ")))
}
