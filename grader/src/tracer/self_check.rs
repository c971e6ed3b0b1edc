//! The first use of a newly built tool: does it count instructions as Callgrind does?
//!
//! A Valgrind whose internals changed under the tool would most likely show here. What passed is
//! remembered beside the tool, until the tool is built anew.

use super::{
    Outcome, Program, Request, TracerError, install::Tool, request::Analysis, scratch::Scratch,
    valgrind::TESTED_TEXT,
};
use std::{fs, os::unix::fs::symlink, path::Path, process::Command};

/// There on every system, and over in a moment: the dynamic loader and one system call.
const PROGRAM: &str = "true";
/// Callgrind ends two instructions before the program does.
const TOLERANCE: u64 = 16;
const STAMP: &str = "checked";

/// Whether the tool was built after the last check, or never checked.
pub(super) fn is_due(tool: &Tool) -> bool {
    !tool.folder.join(STAMP).is_file()
}

/// The tool changes: the next use checks it.
pub(super) fn forget(folder: &Path) {
    // If there is no stamp, there is nothing to forget.
    let _ = fs::remove_file(folder.join(STAMP));
}

/// Runs both and compares.
///
/// # Errors
///
/// If the counts differ, or one of the two cannot run.
pub(super) fn run(tool: &Tool) -> Result<(), TracerError> {
    let program = Program::find(PROGRAM.as_ref(), Vec::new())?;
    let outcome = tool.run(&program, &Request::new(Analysis::Count))?;
    let ours = instructions(&outcome);
    let theirs = callgrind_instructions(tool, &program)?;
    if ours.abs_diff(theirs) > TOLERANCE {
        return Err(TracerError::SelfCheck {
            program: program.path.display().to_string(),
            ours,
            theirs,
            tolerance: TOLERANCE,
            version: tool.valgrind.version.clone(),
            tested: TESTED_TEXT,
        });
    }
    let stamp = tool.folder.join(STAMP);
    let text = format!("{PROGRAM}: {ours} instructions, Callgrind {theirs}\n");
    let attempt = format!("noting the self-check in {}", stamp.display());
    fs::write(&stamp, text).map_err(TracerError::io(attempt))
}

fn instructions(outcome: &Outcome) -> u64 {
    outcome
        .main()
        .end
        .as_ref()
        .map_or(0, |end| end.instructions)
}

/// Instructions that Callgrind counts in `program`, run as the tool runs it.
///
/// # Errors
///
/// If Callgrind cannot run or says nothing.
pub fn callgrind_instructions(tool: &Tool, program: &Program) -> Result<u64, TracerError> {
    let scratch = Scratch::new()?;
    let profile = scratch.path().join("callgrind.out");
    let library = scratch.path().join("lib");
    let linked = symlink(&tool.folder, &library);
    linked.map_err(TracerError::io(format!("linking {}", library.display())))?;
    let mut out = std::ffi::OsString::from("--callgrind-out-file=");
    out.push(&profile);
    let output = Command::new("valgrind")
        .args([
            "--command-line-only=yes",
            "--quiet",
            "--vgdb=no",
            "--tool=callgrind",
        ])
        .arg(out)
        .arg(&program.path)
        .args(&program.arguments)
        .env("VALGRIND_LIB", library)
        .output()
        .map_err(TracerError::io("running Callgrind"))?;
    let failed = |found: String| TracerError::Tool {
        program: program.name.clone(),
        found,
    };
    let text = fs::read_to_string(&profile)
        .map_err(|_| failed(String::from_utf8_lossy(&output.stderr).into_owned()))?;
    let totals = text.lines().find_map(|line| line.strip_prefix("totals: "));
    totals
        .and_then(|count| count.trim().parse().ok())
        .ok_or_else(|| failed("Callgrind's profile has no totals".to_owned()))
}
