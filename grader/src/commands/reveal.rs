//! `grader reveal`: the reference, and why it is fast.

use std::fs;

use clap::Args;

use super::{Outcome, ask, print, progress_of};
use crate::course::Course;
use crate::error::{Exit, While as _};
use crate::host::terminal::{STRONG, paint, width, wrap};

/// What `reveal` is told.
#[derive(Debug, Clone, Args)]
pub struct RevealArgs {
    /// The lab
    pub lab: String,
    /// Do not ask
    #[arg(long, short)]
    pub yes: bool,
}

/// Prints the reference; asks first while the lab is unsolved.
///
/// # Errors
///
/// If there is no such lab, or its reference cannot be read.
pub fn run(args: &RevealArgs) -> Outcome {
    let course = Course::around_here()?;
    let lab = course.lab(&args.lab)?;
    let (_, progress) = progress_of(&course);
    let best = progress
        .labs
        .get(&lab.slug)
        .and_then(|lab| lab.best_score)
        .unwrap_or(0.0);
    let seen = progress.labs.get(&lab.slug).map_or(0, |lab| lab.hints_seen);
    let left = lab.manifest.hint.len().saturating_sub(seen);
    if best < 100.0 && !args.yes {
        let question = format!(
            "Your best score in {} is {:.0}, and {left} of its hints are unread.\n\
             Show the reference all the same?",
            lab.slug,
            best.floor()
        );
        if !ask(&question) {
            print(&format!(
                "Kept closed. `cargo make hint {}` tells a little.\n",
                lab.slug
            ));
            return Ok(Exit::Passed);
        }
    }
    let path = lab.reference();
    let reference =
        fs::read_to_string(&path).while_trying(|| format!("reading {}", path.display()))?;
    let why = wrap(&lab.manifest.reveal.why, width(), 0);
    let code: String = reference
        .lines()
        .filter(|line| !line.trim_start().starts_with("// ANCHOR"))
        .map(|line| format!("    {line}\n"))
        .collect();
    print(&format!(
        "{}\n\n{code}\n{why}",
        paint(STRONG, format!("The reference of {}", lab.slug))
    ));
    Ok(Exit::Passed)
}
