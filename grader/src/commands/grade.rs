//! `grader grade`: check, measure and score labs.

use clap::{Args, ValueEnum};

use super::{Outcome, keep_progress, print, progress_of, tell, tell_no_more};
use crate::build::Answer;
use crate::course::{Course, Lab};
use crate::error::Exit;
use crate::grading::{self, Grade, Settings, Source};
use crate::report;

/// Points from which a lab counts as passed, unless `--pass-mark` says otherwise.
pub(super) const PASS_MARK: f64 = 60.0;

/// What `grade` is told.
#[derive(Debug, Clone, Args)]
pub struct GradeArgs {
    /// Labs, or parts of the course; all when none is named
    pub labs: Vec<String>,
    /// How to print the grades
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Check and measure again even what has not changed
    #[arg(long)]
    pub no_cache: bool,
    /// Points from which a lab is passed
    #[arg(long, value_name = "POINTS", default_value_t = PASS_MARK)]
    pub pass_mark: f64,
}

/// How grades are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// A table for people
    Text,
    /// A document for programs; grader/README.md describes it
    Json,
}

/// Grades the labs that were asked for.
///
/// # Errors
///
/// If nothing could be graded; see [`crate::error::Error`].
pub fn run(args: &GradeArgs) -> Outcome {
    let course = Course::around_here()?;
    let labs = course.select(&args.labs)?;
    let grades = grade_and_keep(&course, &labs, !args.no_cache)?;
    let (_, progress) = progress_of(&course);
    print(&match args.format {
        Format::Text => report::text::render(&grades, &progress),
        Format::Json => report::json::render(&grades),
    });
    Ok(exit(&grades, args.pass_mark))
}

/// Grades the reader's solutions and keeps the best scores.
///
/// # Errors
///
/// If nothing could be graded.
pub fn grade_and_keep(
    course: &Course,
    labs: &[Lab],
    recall: bool,
) -> Result<Vec<Grade>, crate::error::Error> {
    let settings = Settings {
        recall,
        answer: Answer::Solution,
        source: Source::Committed,
        tell: &tell,
    };
    let grades = grading::grade(course, labs, &settings);
    tell_no_more();
    let grades = grades?;
    let (file, _) = progress_of(course);
    keep_progress(&file, |progress| {
        for (grade, score) in grades
            .iter()
            .filter_map(|grade| Some((grade, grade.score?)))
        {
            progress.keep_best(&grade.lab.slug, score);
        }
    });
    Ok(grades)
}

/// The worst of the grades' exit codes; no labs at all passed.
pub fn exit(grades: &[Grade], pass_mark: f64) -> Exit {
    let exits = grades.iter().map(|grade| grade.exit(pass_mark));
    exits.max().unwrap_or(Exit::Passed)
}
