//! Running any program under the tool of `grader/tracer`, and reading what it measured.
//!
//! The tool is a separate program: it is built when it is first needed ([`install`]), checked once
//! against Callgrind ([`self_check`]), and run under the installed Valgrind ([`run`]). It answers in
//! a file of JSON lines ([`result_file`]); nothing of it is linked here.

mod absent;
pub mod error;
pub mod install;
pub mod outcome;
pub mod program;
pub mod request;
pub mod result_file;
pub mod run;
pub mod scratch;
pub mod self_check;
pub mod trace;
pub mod translations;
pub mod valgrind;

pub use error::TracerError;
pub use install::Tool;
pub use outcome::{Ending, Outcome};
pub use program::Program;
pub use request::Request;
