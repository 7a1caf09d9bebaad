//! The `porthole` binary: everything is in the library.

fn main() -> std::process::ExitCode {
    porthole::cli::main()
}
