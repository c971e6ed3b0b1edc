//! `grader watch`: grades again whenever a solution is saved. Plain lines, no alternate screen.

use std::fs;
use std::thread;
use std::time::{Duration, SystemTime};

use clap::Args;

use super::grade::grade_and_keep;
use super::{Outcome, print, progress_of};
use crate::course::{Course, Lab};
use crate::error::{Error, Exit};
use crate::host::interrupt;
use crate::host::terminal::{QUIET, paint};
use crate::report;

/// What `watch` is told.
#[derive(Debug, Clone, Args)]
pub struct WatchArgs {
    /// Labs, or parts of the course; all when none is named
    pub labs: Vec<String>,
}

/// Watches until Ctrl-C, which is how it is meant to end.
///
/// # Errors
///
/// If nothing can be graded at all.
pub fn run(args: &WatchArgs) -> Outcome {
    /// Often enough to seem immediate; looking at a few files costs nothing.
    const BETWEEN_LOOKS: Duration = Duration::from_millis(100);
    let course = Course::around_here()?;
    let labs = course.select(&args.labs)?;
    let mut saved: Vec<_> = labs.iter().map(saved_at).collect();
    print(&format!(
        "Watching {}. Ctrl-C ends.\n",
        crate::grading::count(labs.len(), "solution")
    ));
    if !args.labs.is_empty() {
        grade_again(&course, &labs)?;
    }
    while interrupt::check().is_ok() {
        thread::sleep(BETWEEN_LOOKS);
        let now: Vec<_> = labs.iter().map(saved_at).collect();
        let changed: Vec<Lab> = labs
            .iter()
            .zip(saved.iter().zip(&now))
            .filter(|(_, (before, now))| before != now)
            .map(|(lab, _)| lab.clone())
            .collect();
        saved = now;
        if !changed.is_empty() {
            match grade_again(&course, &changed) {
                Err(Error::Interrupted) => break,
                graded => graded?,
            }
        }
    }
    print("\n");
    Ok(Exit::Passed)
}

fn grade_again(course: &Course, labs: &[Lab]) -> Result<(), Error> {
    let grades = grade_and_keep(course, labs, true)?;
    let (_, progress) = progress_of(course);
    print(&format!("\n{}", report::text::render(&grades, &progress)));
    print(&format!("{}\n", paint(QUIET, "waiting for the next save")));
    Ok(())
}

fn saved_at(lab: &Lab) -> Option<SystemTime> {
    fs::metadata(lab.solution())
        .and_then(|meta| meta.modified())
        .ok()
}
