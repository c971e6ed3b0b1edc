//! `grader hint`: one more hint each time.

use clap::Args;

use super::{Outcome, keep_progress, print, progress_of};
use crate::course::Course;
use crate::error::Exit;
use crate::host::terminal::{QUIET, STRONG, paint, width, wrap};

/// What `hint` is told.
#[derive(Debug, Clone, Args)]
pub struct HintArgs {
    /// The lab
    pub lab: String,
}

/// Prints the hints seen so far and the next one.
///
/// # Errors
///
/// Outside of a course, or if there is no such lab.
pub fn run(args: &HintArgs) -> Outcome {
    let course = Course::around_here()?;
    let lab = course.lab(&args.lab)?;
    let hints = &lab.manifest.hint;
    let (file, mut progress) = progress_of(&course);
    let seen = (progress.lab(&lab.slug).hints_seen + 1).min(hints.len());
    keep_progress(&file, |progress| progress.lab(&lab.slug).hints_seen = seen);
    let mut text = format!("{}\n", wrap(&lab.manifest.task, width(), 0).trim_end());
    for (index, hint) in hints.iter().take(seen).enumerate() {
        let heading = paint(STRONG, format!("Hint {} of {}", index + 1, hints.len()));
        text.push_str(&format!("\n{heading}\n{}", wrap(&hint.text, width(), 2)));
    }
    let next = if seen < hints.len() {
        format!("The same command again gives hint {}.", seen + 1)
    } else {
        format!(
            "That was the last one. `cargo make reveal {}` shows the reference.",
            lab.slug
        )
    };
    text.push_str(&format!("\n{}\n", paint(QUIET, next)));
    print(&text);
    Ok(Exit::Passed)
}
