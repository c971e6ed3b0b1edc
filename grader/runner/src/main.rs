//! Runs what a lab's `benches/instructions.rs` asks for under Valgrind.

use std::io::Write as _;
use std::process::ExitCode;

fn main() -> ExitCode {
    match iai_callgrind_runner::runner::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // A closed stderr leaves nobody to tell.
            let _ = writeln!(std::io::stderr(), "{error:#}");
            ExitCode::FAILURE
        }
    }
}
