//! The wrong answers: each has a test of its own in the gate's program, which passes when the gate
//! refuses the answer.

use std::fs;
use std::process::Command;
use std::time::Duration;

use crate::build::BuiltLab;
use crate::course::Lab;
use crate::error::Error;
use crate::host::process::{self, Limits};

/// Fewer wrong answers do not show that the gate looks at more than one thing.
const FEWEST: usize = 2;

const LIMITS: Limits = Limits {
    time: Duration::from_secs(60),
    output_bytes: 1 << 20,
};

/// What the wrong answers showed.
pub(super) struct Checked {
    pub(super) refused: usize,
    pub(super) answers: usize,
    pub(super) problems: Vec<String>,
}

impl Checked {
    pub(super) fn not_built(compiler: String) -> Self {
        let problem = format!("the lab does not compile with its reference:\n{compiler}");
        Self {
            refused: 0,
            answers: 0,
            problems: vec![problem],
        }
    }
}

/// Lets the gate judge every file in `wrong/`.
pub(super) fn check(lab: &Lab, built: &BuiltLab) -> Result<Checked, Error> {
    let answers = answers(lab);
    let mut checked = Checked {
        refused: 0,
        answers: answers.len(),
        problems: Vec::new(),
    };
    if answers.len() < FEWEST {
        checked.problems.push(format!(
            "wrong/ holds {} answers; {FEWEST} or more plausible mistakes show what the gate sees",
            answers.len()
        ));
    }
    for answer in answers {
        let test = format!("wrong::{answer}");
        let mut command = Command::new(&built.release_gate);
        command
            .args([&test, "--exact", "--test-threads=1"])
            .current_dir(&lab.folder)
            .env("INSTA_UPDATE", "no")
            .env("RUST_BACKTRACE", "0");
        let ended = process::run(&mut command, LIMITS)?;
        let printed = String::from_utf8_lossy(&ended.stdout);
        if printed.contains("running 0 tests") {
            checked.problems.push(format!(
                "wrong/{answer}.rs is not judged: list it in tests/correct.rs"
            ));
        } else if ended.succeeded() {
            checked.refused += 1;
        } else {
            checked.problems.push(format!(
                "wrong/{answer}.rs passes the gate: either the gate misses a case, or the answer \
                 is right"
            ));
        }
    }
    Ok(checked)
}

/// The names of the files in `wrong/`.
fn answers(lab: &Lab) -> Vec<String> {
    let entries = fs::read_dir(lab.folder.join("wrong")).into_iter().flatten();
    let paths = entries.filter_map(Result::ok).map(|entry| entry.path());
    let rust = paths.filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let mut names: Vec<_> = rust
        .filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    names
}
