//! `grader list`: the labs, what each is scored by, and the best scores so far.

use std::fmt::Write as _;

use super::{Outcome, print, progress_of};
use crate::course::Course;
use crate::error::Exit;
use crate::host::terminal::{GOOD, QUIET, STRONG, WARN, paint};

/// Prints the list.
///
/// # Errors
///
/// Outside of a course, or if a lab is not described.
pub fn run() -> Outcome {
    let course = Course::around_here()?;
    let (_, progress) = progress_of(&course);
    let mut text = String::new();
    let widest = course
        .labs
        .iter()
        .map(|lab| lab.slug.len())
        .max()
        .unwrap_or_default();
    let mut part = None;
    for lab in &course.labs {
        if part != Some(&lab.part) {
            let gap = if part.is_none() { "" } else { "\n" };
            let _ = writeln!(text, "{gap}{}", paint(STRONG, &lab.part));
            part = Some(&lab.part);
        }
        let best = progress.labs.get(&lab.slug).and_then(|lab| lab.best_score);
        let best = match best {
            Some(score) if score >= 100.0 => paint(GOOD, format!("{score:>4.0}")),
            Some(score) => paint(WARN, format!("{:>4.0}", score.floor())),
            None => paint(QUIET, format!("{:>4}", "–")),
        };
        let meter = &lab.manifest.meter.name;
        let _ = writeln!(
            text,
            "  {:widest$}  {best}  {meter:13}  {}",
            lab.slug, lab.manifest.title
        );
    }
    print(&text);
    Ok(Exit::Passed)
}
