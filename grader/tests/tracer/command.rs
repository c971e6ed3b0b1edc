//! Runs the grader as a user does.

use serde_json::Value;
use std::{
    ffi::OsStr,
    process::{Command, Output},
};

/// The `grader` command with these arguments, ready to run.
pub(crate) fn grader<S: AsRef<OsStr>>(arguments: &[S]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grader"));
    command.args(arguments).env("NO_COLOR", "1");
    command
}

/// What the command printed and how it ended.
pub(crate) struct Printed {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Printed {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// Runs the grader to its end.
pub(crate) fn run<S: AsRef<OsStr>>(arguments: &[S]) -> Printed {
    let output = grader(arguments).output();
    output.expect("the grader starts").into()
}

/// The JSON that the grader prints; it must succeed.
#[track_caller]
pub(crate) fn json<S: AsRef<OsStr>>(arguments: &[S]) -> Value {
    let printed = run(arguments);
    assert_eq!(printed.code, Some(0), "{}", printed.err);
    serde_json::from_str(&printed.out)
        .unwrap_or_else(|why| panic!("not JSON: {why}\n{}", printed.out))
}
