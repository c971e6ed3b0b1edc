//! `grader regrade`: for a class. Each submission's solutions are graded in a clean copy of the course.

use std::path::PathBuf;

use clap::Args;

use super::grade::{Format, PASS_MARK, exit};
use super::{Outcome, print, tell, tell_no_more};
use crate::build::Answer;
use crate::course::Course;
use crate::error::{Error, Exit};
use crate::grading::{self, Settings, Source, Submission};
use crate::report::class::{self, Handed};

/// What `regrade` is told.
#[derive(Debug, Clone, Args)]
pub struct RegradeArgs {
    /// Folders, one for each person: with LAB.rs or LAB/solution.rs for each lab, or a whole clone
    #[arg(required = true, value_name = "FOLDER")]
    pub folders: Vec<PathBuf>,
    /// Only this lab, or the labs of this part; may be repeated
    #[arg(long = "lab", value_name = "LAB")]
    pub labs: Vec<String>,
    /// How to print the grades
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Points from which a lab is passed
    #[arg(long, value_name = "POINTS", default_value_t = PASS_MARK)]
    pub pass_mark: f64,
}

/// Grades the submissions one after the other. Nothing of the checkout's own solutions, edits or
/// progress is used or changed.
///
/// # Errors
///
/// If a folder holds no solution at all, or nothing could be graded.
pub fn run(args: &RegradeArgs) -> Outcome {
    let course = Course::around_here()?;
    let labs = course.select(&args.labs)?;
    let submissions: Vec<Submission> = args.folders.iter().cloned().map(Submission::at).collect();
    // All folders are looked at before the first hour of grading begins.
    for submission in &submissions {
        if labs.iter().all(|lab| submission.solution(lab).is_none()) {
            let folder = submission.folder.clone();
            return Err(Error::NothingSubmitted { folder });
        }
    }
    let mut class = Vec::new();
    for (number, submission) in submissions.iter().enumerate() {
        let name = submission.folder.display().to_string();
        tell(&format!(
            "submission {} of {}: {name}",
            number + 1,
            submissions.len()
        ));
        let (present, missing): (Vec<_>, Vec<_>) = labs
            .iter()
            .cloned()
            .partition(|lab| submission.solution(lab).is_some());
        let settings = Settings {
            // What one submission leaves behind is no evidence for the next.
            recall: false,
            answer: Answer::Solution,
            source: Source::Submission(submission),
            tell: &tell,
        };
        let grades = grading::grade(&course, &present, &settings);
        tell_no_more();
        let missing = missing.into_iter().map(|lab| lab.slug).collect();
        class.push(Handed {
            name,
            grades: grades?,
            missing,
        });
    }
    print(&match args.format {
        Format::Text => class::text(&class),
        Format::Json => class::json(&class),
    });
    let exits = class.iter().map(|handed| {
        let missing = if handed.missing.is_empty() {
            Exit::Passed
        } else {
            Exit::Below
        };
        exit(&handed.grades, args.pass_mark).max(missing)
    });
    Ok(exits.max().unwrap_or(Exit::Passed))
}
