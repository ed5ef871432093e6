//! The `research` program. See the library for how it is built.

use std::process::ExitCode;

fn main() -> ExitCode {
    research::cli::main().into()
}
