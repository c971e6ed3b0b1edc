//! `grader dev check`: proves of each lab what its page promises.

mod files;
mod wrong;

use std::fmt::Write as _;

use clap::Args;

use crate::build::{self, Answer, NotBuilt, Workspace};
use crate::commands::{Outcome, print, tell, tell_no_more};
use crate::course::{Course, Lab};
use crate::error::Exit;
use crate::grading::{self, Grade, Settings, Source, Status};
use crate::host::terminal::{BAD, GOOD, STRONG, WARN, paint, width, wrap};
use crate::report::factor;

/// What `dev check` is told.
#[derive(Debug, Clone, Args)]
pub struct CheckArgs {
    /// Labs, or parts of the course; all when none is named
    pub labs: Vec<String>,
}

/// The largest score that an untouched solution may earn by lying at other addresses.
const NEARLY_0: f64 = 0.05;

/// What was found out about a lab.
struct Findings {
    untouched: Grade,
    reference: Grade,
    refused: usize,
    wrong: usize,
    problems: Vec<String>,
    /// What the lab needs and this machine does not have: its scores are not proven here.
    unmet: Option<String>,
}

/// Checks the labs and prints the margins and what is to be mended.
///
/// # Errors
///
/// If nothing could be built at all.
pub fn run(args: &CheckArgs) -> Outcome {
    let course = Course::around_here()?;
    let labs = course.select(&args.labs)?;
    let grade = |answer, source| {
        grading::grade(
            &course,
            &labs,
            &Settings {
                recall: true,
                answer,
                source,
                tell: &tell,
            },
        )
    };
    let untouched = grade(Answer::Solution, Source::Fresh)?;
    let reference = grade(Answer::Reference, Source::Checkout)?;
    let workspace = Workspace {
        root: course.root.clone(),
        target: course.target(),
    };
    let built = build::labs(&workspace, &labs, Answer::Reference)?;
    let mut findings = Vec::new();
    for (((lab, untouched), reference), built) in
        labs.iter().zip(untouched).zip(reference).zip(built)
    {
        tell(&format!("checking the wrong answers of {}", lab.slug));
        let wrong = match built {
            Ok(built) => wrong::check(lab, &built)?,
            Err(NotBuilt { compiler }) => wrong::Checked::not_built(compiler),
        };
        let unmet = lab.manifest.needs.and_then(|need| need.meet().err());
        let mut problems = match unmet {
            Some(_) => Vec::new(),
            None => score_problems(&untouched, &reference),
        };
        problems.extend(wrong.problems);
        problems.extend(files::problems(&course, lab));
        let (refused, wrong) = (wrong.refused, wrong.answers);
        findings.push(Findings {
            untouched,
            reference,
            refused,
            wrong,
            problems,
            unmet: unmet.map(|missing| missing.to_string()),
        });
    }
    tell_no_more();
    print(&render(&labs, &findings));
    Ok(exit(&findings))
}

fn exit(findings: &[Findings]) -> Exit {
    let is_ungraded = |grade: &Grade| grade.status == Status::Ungraded;
    let not_measured = |found: &&Findings| {
        found.unmet.is_none() && (is_ungraded(&found.untouched) || is_ungraded(&found.reference))
    };
    if findings.iter().find(not_measured).is_some() {
        Exit::NotMeasured
    } else if findings.iter().any(|found| !found.problems.is_empty()) {
        Exit::Below
    } else {
        Exit::Passed
    }
}

fn score_problems(untouched: &Grade, reference: &Grade) -> Vec<String> {
    let mut problems = Vec::new();
    let explain = |who: &str, grade: &Grade| {
        let detail = grade.detail.as_deref().unwrap_or_default();
        format!("{who} was not scored: {:?}\n{detail}", grade.status)
    };
    match untouched.score {
        Some(score) if untouched.status == Status::Scored => {
            if score > NEARLY_0 {
                problems.push(format!("the untouched solution scores {score}, not 0"));
            }
        }
        _ => problems.push(explain("the untouched solution", untouched)),
    }
    match reference.score {
        Some(score) if reference.status == Status::Scored => {
            if score < 100.0 {
                problems.push(format!(
                    "the reference scores {score}, not 100: lower `full`"
                ));
            } else if reference.has_star() {
                problems.push("the reference earns a star: raise `full`".into());
            }
        }
        _ => problems.push(explain("the reference", reference)),
    }
    problems
}

fn render(labs: &[Lab], findings: &[Findings]) -> String {
    let mut text = String::new();
    let name = labs
        .iter()
        .map(|lab| lab.slug.len())
        .max()
        .unwrap_or_default()
        .max("lab".len());
    let heading = format!(
        "{:name$}  {:>9}  {:>9}  {:>9}  {:>7}  {:>7}",
        "lab", "untouched", "reference", "full from", "margin", "refused"
    );
    let _ = writeln!(text, "{}", paint(STRONG, heading));
    for (lab, found) in labs.iter().zip(findings) {
        let full = lab.manifest.meter.full;
        let score = found
            .untouched
            .score
            .map_or("–".into(), |score| format!("{score:.0}"));
        let better = found.reference.counts.map(grading::Counts::improvement);
        let reached = better.map_or("–".into(), factor);
        let margin = better.map_or("–".into(), |b| {
            format!("{:+.1} %", 100.0 * (b / full - 1.0))
        });
        let refused = format!("{} of {}", found.refused, found.wrong);
        let full = factor(full);
        let _ = writeln!(
            text,
            "{:name$}  {score:>9}  {reached:>9}  {full:>9}  {margin:>7}  {refused:>7}",
            lab.slug
        );
    }
    let sound = findings.iter().all(|found| found.problems.is_empty());
    for (lab, found) in labs.iter().zip(findings) {
        for problem in &found.problems {
            let problem = wrap(problem, width(), 2);
            let _ = write!(
                text,
                "\n{}\n{problem}",
                paint(BAD, format!("{}:", lab.slug))
            );
        }
    }
    for (lab, found) in labs.iter().zip(findings) {
        if let Some(unmet) = &found.unmet {
            let heading = format!("{}: its scores are not proven on this machine", lab.slug);
            let _ = write!(
                text,
                "\n{}\n{}",
                paint(WARN, heading),
                wrap(unmet, width(), 2)
            );
        }
    }
    if sound {
        let unproven = findings
            .iter()
            .filter(|found| found.unmet.is_some())
            .count();
        let mut checked = format!("{} checked, all sound", grading::count(labs.len(), "lab"));
        if unproven > 0 {
            let _ = write!(checked, "; the scores of {unproven} not proven here");
        }
        let _ = writeln!(text, "\n{}", paint(GOOD, checked));
    }
    text
}
