//! Grades for programs. The fields are described in grader/README.md; a field may be added within a
//! schema version, but none changes its meaning or goes away.

use serde::Serialize;

use crate::grading::{Grade, Guarded, Status};

/// The version of this format.
pub(super) const SCHEMA_VERSION: u32 = 1;

#[derive(Serialize)]
struct Report<'a> {
    schema_version: u32,
    #[serde(flatten)]
    grades: Grades<'a>,
}

/// Grades and their sum.
#[derive(Serialize)]
pub(super) struct Grades<'a> {
    labs: Vec<LabReport<'a>>,
    /// Points of all labs together.
    total: f64,
    /// The most that the selected labs can give.
    total_of: f64,
}

#[derive(Serialize)]
struct LabReport<'a> {
    lab: &'a str,
    part: &'a str,
    status: Status,
    score: Option<f64>,
    star: bool,
    meter: &'a str,
    baseline: Option<u64>,
    solution: Option<u64>,
    improvement: Option<f64>,
    full: f64,
    guards: Vec<GuardReport>,
    detail: Option<&'a str>,
    edited: &'a [String],
}

#[derive(Serialize)]
struct GuardReport {
    meter: &'static str,
    baseline: u64,
    solution: u64,
    at_most: f64,
}

impl GuardReport {
    fn of(guard: &Guarded) -> Self {
        Self {
            meter: guard.meter.name,
            baseline: guard.counts.baseline,
            solution: guard.counts.solution,
            at_most: guard.at_most,
        }
    }
}

/// The grades as a JSON document.
pub fn render(grades: &[Grade]) -> String {
    let report = Report {
        schema_version: SCHEMA_VERSION,
        grades: Grades::of(grades, 0),
    };
    pretty(&report)
}

/// A document that ends with a newline.
pub(super) fn pretty(report: &impl Serialize) -> String {
    let mut text = serde_json::to_string_pretty(report).expect("a report holds only plain data");
    text.push('\n');
    text
}

impl<'a> Grades<'a> {
    /// The grades, out of as many labs as there are and `missing` more.
    pub(super) fn of(grades: &'a [Grade], missing: usize) -> Self {
        Self {
            labs: grades.iter().map(LabReport::of).collect(),
            total: grades.iter().filter_map(|grade| grade.score).sum(),
            total_of: 100.0 * (grades.len() + missing) as f64,
        }
    }
}

impl<'a> LabReport<'a> {
    fn of(grade: &'a Grade) -> Self {
        let Grade {
            lab,
            status,
            counts,
            guards,
            score,
            detail,
            edited,
        } = grade;
        Self {
            lab: &lab.slug,
            part: &lab.part,
            status: *status,
            score: *score,
            star: grade.has_star(),
            meter: &lab.manifest.meter.name,
            baseline: counts.map(|counts| counts.baseline),
            solution: counts.map(|counts| counts.solution),
            improvement: counts.map(|counts| counts.improvement()),
            full: lab.manifest.meter.full,
            guards: guards.iter().map(GuardReport::of).collect(),
            detail: detail.as_deref(),
            edited,
        }
    }
}
