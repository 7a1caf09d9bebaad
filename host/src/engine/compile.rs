//! Compiling a component, bounded in time and memory.
//!
//! A compiler is a large program that reads hostile input; a component that is made to be slow can
//! keep it busy for hours, and no thread can be stopped from outside. So the host starts itself as a
//! child that does nothing else, gives it little memory and little time, and kills it when it is late.

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, setrlimit};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use wasmtime::Engine;
use wasmtime::component::Component;

use super::configuration;

/// Bytes of address space that the child may use. Compiling 64 MiB of WebAssembly needs about 1.5 GiB;
/// without the bound a component made of huge functions would push the host out of memory.
const CHILD_ADDRESS_SPACE: u64 = 4 << 30;
/// Bytes of compiled code that are taken from a child.
const COMPILED_BYTES: u64 = 1 << 30;
/// Bytes of an error text that are taken from a child.
const ERROR_BYTES: u64 = 64 << 10;
/// Exit code of a child that found the component wrong, as opposed to a child that died.
const REFUSED: i32 = 65;

/// Why there is no code for a component.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CompileError {
    /// The engine does not accept it.
    #[error("the component is not valid: {0}")]
    Invalid(String),
    /// It took too long.
    #[error("compiling the component took longer than {} s and was stopped", .0.as_secs_f64())]
    TooSlow(Duration),
    /// The child died, most likely for want of memory.
    #[error("the compiler died ({0}); it may use {limit} MiB of memory", limit = CHILD_ADDRESS_SPACE >> 20)]
    Died(String),
    /// The child could not be started or talked to.
    #[error("the compiler could not be started: {0}")]
    Child(String),
    /// A thread of the host was lost.
    #[error("a compiling thread was lost: {0}")]
    Lost(String),
}

/// Who compiles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Compiler {
    /// A thread of this process. It cannot be stopped, only left behind; for tests and embedders that
    /// trust their components.
    InProcess,
    /// This program, started again with the one argument [`CHILD_ARGUMENT`], which must lead to
    /// [`compile_child`].
    Child(PathBuf),
}

/// The argument by which a child knows what it is for.
pub const CHILD_ARGUMENT: &str = "__compile";

/// Code that was just compiled.
#[derive(Debug)]
pub(super) struct Compiled(Vec<u8>);

impl Compiled {
    /// Returns the bytes to keep in a cache.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Makes the code runnable.
    pub(super) fn load(&self, engine: &Engine) -> Result<Component, CompileError> {
        #[expect(unsafe_code, reason = "code that this host compiled a moment ago; never from outside")]
        // SAFETY: a `Compiled` is only made below, from `precompile_component` in this process or in a
        // child that runs this very program, over a pipe that nobody else holds.
        let component = unsafe { Component::deserialize(engine, &self.0) };
        component.map_err(|error| CompileError::Invalid(format!("{error:#}")))
    }
}

impl Compiler {
    /// Compiles `bytes` within `timeout`, off the async threads.
    ///
    /// # Errors
    ///
    /// See [`CompileError`].
    pub(super) async fn compile(
        &self,
        engine: &Engine,
        bytes: Arc<[u8]>,
        timeout: Duration,
    ) -> Result<Compiled, CompileError> {
        let compiling = async {
            match self {
                Self::InProcess => in_process(engine.clone(), bytes).await,
                Self::Child(program) => in_child(program, &bytes).await,
            }
        };
        tokio::time::timeout(timeout, compiling).await.unwrap_or(Err(CompileError::TooSlow(timeout)))
    }
}

async fn in_process(engine: Engine, bytes: Arc<[u8]>) -> Result<Compiled, CompileError> {
    tokio::task::spawn_blocking(move || engine.precompile_component(&bytes))
        .await
        .map_err(|error| CompileError::Lost(error.to_string()))?
        .map(Compiled)
        .map_err(|error| CompileError::Invalid(format!("{error:#}")))
}

async fn in_child(program: &PathBuf, bytes: &[u8]) -> Result<Compiled, CompileError> {
    let failed = |error: io::Error| CompileError::Child(format!("{}: {error}", program.display()));
    let mut child = tokio::process::Command::new(program)
        .arg(CHILD_ARGUMENT)
        .env_clear()
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(failed)?;
    let (Some(mut input), Some(output), Some(errors)) = (child.stdin.take(), child.stdout.take(), child.stderr.take())
    else {
        return Err(CompileError::Child("its pipes are missing".to_owned()));
    };
    let send = async {
        // A child that refuses early closes the pipe; its exit code tells why.
        let _ = input.write_all(bytes).await;
        drop(input);
    };
    let (mut code, mut text) = (Vec::new(), String::new());
    let (mut output, mut errors) = (output.take(COMPILED_BYTES), errors.take(ERROR_BYTES));
    let (_, read, _) = tokio::join!(send, output.read_to_end(&mut code), errors.read_to_string(&mut text));
    read.map_err(failed)?;
    let status = child.wait().await.map_err(failed)?;
    match status.code() {
        Some(0) => Ok(Compiled(code)),
        Some(REFUSED) => Err(CompileError::Invalid(text.trim().to_owned())),
        _ => Err(CompileError::Died(format!("{status}: {}", text.trim()))),
    }
}

/// Compiles the component on standard input to standard output; the whole life of a child.
///
/// Call it before anything else when the program's one argument is [`CHILD_ARGUMENT`]. The exit code
/// is for the parent alone.
#[must_use]
pub fn compile_child() -> u8 {
    let bound = Rlimit { current: Some(CHILD_ADDRESS_SPACE), maximum: Some(CHILD_ADDRESS_SPACE) };
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    let limited = setrlimit(Resource::As, bound).and_then(|()| setrlimit(Resource::Core, none));
    let compiled = limited.map_err(io::Error::from).and_then(|()| {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        Ok(bytes)
    });
    let bytes = match compiled {
        Ok(bytes) => bytes,
        Err(error) => return say(&error.to_string(), 1),
    };
    let compiled = configuration::compile_only().and_then(|engine| engine.precompile_component(&bytes));
    match compiled {
        Ok(code) => match io::stdout().lock().write_all(&code) {
            Ok(()) => 0,
            Err(error) => say(&error.to_string(), 1),
        },
        Err(error) => say(&format!("{error:#}"), u8::try_from(REFUSED).unwrap_or(1)),
    }
}

fn say(text: &str, code: u8) -> u8 {
    // There is nobody left to tell when standard error is gone too.
    let _ = writeln!(io::stderr(), "{text}");
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn compile(text: &'static str, timeout: Duration) -> Result<Compiled, CompileError> {
        let engine = configuration::compile_only().expect("an engine");
        Compiler::InProcess.compile(&engine, Arc::from(text.as_bytes()), timeout).await
    }

    #[tokio::test]
    async fn what_is_no_component_is_refused_in_words() {
        let error = compile("not wasm", Duration::from_secs(10)).await.expect_err("it is not valid");
        assert!(matches!(error, CompileError::Invalid(_)), "{error}");
    }

    #[tokio::test]
    async fn a_program_that_is_no_compiler_is_a_clear_error() {
        let compiler = Compiler::Child(PathBuf::from("/nonexistent/porthole"));
        let engine = configuration::compile_only().expect("an engine");
        let error =
            compiler.compile(&engine, Arc::from(&b""[..]), Duration::from_secs(10)).await.expect_err("there is none");
        assert_eq!(
            error.to_string(),
            "the compiler could not be started: /nonexistent/porthole: No such file or directory (os error 2)"
        );
    }

    /// A program that does `script` in place of compiling.
    fn program(script: &str) -> (tempfile::TempDir, Compiler) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("compiler");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a script");
        std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o700)).expect("our file");
        (folder, Compiler::Child(path))
    }

    async fn compile_with(script: &str, timeout: Duration) -> CompileError {
        let (_folder, compiler) = program(script);
        let engine = configuration::compile_only().expect("an engine");
        compiler.compile(&engine, Arc::from(&b""[..]), timeout).await.expect_err("it compiles nothing")
    }

    #[tokio::test]
    async fn a_compiler_that_is_late_is_stopped() {
        let error = compile_with("exec sleep 600", Duration::from_millis(100)).await;
        assert_eq!(error.to_string(), "compiling the component took longer than 0.1 s and was stopped");
    }

    #[tokio::test]
    async fn a_compiler_that_dies_is_told_from_one_that_refuses() {
        let error = compile_with("echo out of memory >&2; exit 134", Duration::from_secs(10)).await;
        assert!(matches!(error, CompileError::Died(_)), "{error}");
        let error = compile_with("echo bad magic >&2; exit 65", Duration::from_secs(10)).await;
        assert_eq!(error.to_string(), "the component is not valid: bad magic");
    }
}
