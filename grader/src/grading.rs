//! A grade: correct first, then measured, then scored. Many labs go side by side.

mod gate;
mod integrity;
mod measuring;
pub mod score;

use serde::Serialize;

pub use gate::{MEMORY_LIMIT_BYTES, PROCESSOR_LIMIT as GATE_PROCESSOR_LIMIT};
pub use integrity::{Source, Submission};
pub use measuring::{Measured, measure_variant};

use crate::build::{self, Answer, BuiltLab, NotBuilt};
use crate::course::{Course, Lab};
use crate::error::{Error, Exit};
use crate::host::side_by_side::{cores, side_by_side};
use crate::meter::Meter;
use crate::store::memory::Memory;

/// How a lab's grade came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// Correct, measured and scored.
    Scored,
    /// Correct, but a guarded count grew too far; scores 0.
    Guard,
    /// The gate turned it away; scores 0.
    Refused,
    /// The compiler turned it away; scores 0.
    DoesNotCompile,
    /// Could not be measured here; no score.
    Ungraded,
}

/// A lab's grade.
#[derive(Debug, Clone)]
pub struct Grade {
    /// The lab.
    pub lab: Lab,
    /// How it came out.
    pub status: Status,
    /// The scored meter's counts, once measured.
    pub counts: Option<Counts>,
    /// The guarded counts, once measured.
    pub guards: Vec<Guarded>,
    /// The score, 0 to 100; `None` when ungraded.
    pub score: Option<f64>,
    /// Why it is not scored, which guard was passed, or what the gate remarked: for people, several
    /// lines.
    pub detail: Option<String>,
    /// Files that were edited and graded as committed.
    pub edited: Vec<String>,
}

/// Two counts of one meter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counts {
    /// What the baseline takes.
    pub baseline: u64,
    /// What the solution takes.
    pub solution: u64,
}

/// A count that may not grow, measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Guarded {
    /// What is counted.
    pub meter: &'static Meter,
    /// What both versions take.
    pub counts: Counts,
    /// The largest allowed solution ÷ baseline.
    pub at_most: f64,
}

impl Guarded {
    /// A guard holds up to here: code that lies elsewhere takes a few counts more or less.
    const NO_CHANGE: f64 = 1.001;

    /// Solution ÷ baseline: above 1 is worse. A count of 0 is taken as 1.
    pub fn growth(self) -> f64 {
        self.counts.solution as f64 / self.counts.baseline.max(1) as f64
    }

    /// Whether the count has grown too far.
    pub fn is_passed(self) -> bool {
        self.growth() > self.at_most * Self::NO_CHANGE
    }
}

impl Counts {
    /// Baseline ÷ solution: above 1 is better. A count of 0 is taken as 1.
    pub fn improvement(self) -> f64 {
        self.baseline.max(1) as f64 / self.solution.max(1) as f64
    }
}

impl Grade {
    /// Whether it beat the reference by so much that it earns a star.
    pub fn has_star(&self) -> bool {
        let full = self.lab.manifest.meter.full;
        self.status == Status::Scored
            && self
                .counts
                .is_some_and(|counts| score::has_star(counts.improvement(), full))
    }

    /// What the exit code says of this grade alone.
    pub fn exit(&self, pass_mark: f64) -> Exit {
        match self.score {
            None => Exit::NotMeasured,
            Some(score) if score >= pass_mark => Exit::Passed,
            Some(_) => Exit::Below,
        }
    }
}

/// What a run of grading should do.
pub struct Settings<'a> {
    /// Whether results remembered from earlier runs may be used.
    pub recall: bool,
    /// Whose code stands in the solution's place.
    pub answer: Answer,
    /// Which files are trusted.
    pub source: Source<'a>,
    /// Told what is going on, in a few words.
    pub tell: &'a (dyn Fn(&str) + Sync),
}

/// Grades `labs`, in their order.
///
/// # Errors
///
/// When nothing could be graded at all: cargo cannot run, or Ctrl-C. What concerns one lab only is
/// in its grade.
pub fn grade(course: &Course, labs: &[Lab], settings: &Settings<'_>) -> Result<Vec<Grade>, Error> {
    let readable: Vec<Result<&Lab, Box<Grade>>> = labs
        .iter()
        .map(|lab| match unreadable(lab, settings) {
            Some(grade) => Err(Box::new(grade)),
            None => Ok(lab),
        })
        .collect();
    let to_build: Vec<Lab> = readable.iter().flatten().map(|&lab| lab.clone()).collect();
    let checked = integrity::check_out(course, &to_build, settings.source)?;
    let mut built = if to_build.is_empty() {
        Vec::new().into_iter()
    } else {
        (settings.tell)(&format!("building {}", count(to_build.len(), "lab")));
        build::labs(&checked.workspace, &to_build, settings.answer)?.into_iter()
    };
    let memory = Memory::new(course.scratch().join("memory"), settings.recall);
    let candidates: Vec<Candidate<'_>> = readable
        .into_iter()
        .map(|lab| match lab {
            Err(grade) => Candidate::Done(grade),
            Ok(lab) => match built.next().expect("one result for each lab built") {
                Ok(built) => Candidate::Built {
                    lab,
                    built,
                    edited: checked.edited_in(lab),
                    remark: None,
                },
                Err(NotBuilt { compiler }) => {
                    let mut grade = without_counts(lab, Status::DoesNotCompile, compiler);
                    grade.edited = checked.edited_in(lab);
                    Candidate::Done(Box::new(grade))
                }
            },
        })
        .collect();
    let gated = pass_gates(candidates, &memory, settings)?;
    measuring::measure_all(course, gated, &memory, settings)
}

/// A lab on its way to a grade.
enum Candidate<'a> {
    Done(Box<Grade>),
    Built {
        lab: &'a Lab,
        built: BuiltLab,
        edited: Vec<String>,
        remark: Option<String>,
    },
}

fn pass_gates<'a>(
    candidates: Vec<Candidate<'a>>,
    memory: &Memory,
    settings: &Settings<'_>,
) -> Result<Vec<Candidate<'a>>, Error> {
    let mut jobs = Vec::new();
    for candidate in &candidates {
        if let Candidate::Built { built, .. } = candidate {
            for gate in [&built.debug_gate, &built.release_gate] {
                jobs.push(move || gate::run(built, gate, memory, settings.tell));
            }
        }
    }
    let mut outcomes = side_by_side(cores(), jobs).into_iter();
    candidates
        .into_iter()
        .map(|candidate| {
            let Candidate::Built {
                lab, built, edited, ..
            } = candidate
            else {
                return Ok(candidate);
            };
            let mut next = || {
                outcomes
                    .next()
                    .expect("two gates were run for each lab built")
            };
            let refusal = match (next()?, next()?) {
                (Err(refusal), _) => format!("{refusal}\n(in the debug build)"),
                (_, Err(refusal)) => format!("{refusal}\n(in the release build)"),
                (Ok(_), Ok(remark)) => {
                    return Ok(Candidate::Built {
                        lab,
                        built,
                        edited,
                        remark,
                    });
                }
            };
            let mut grade = without_counts(lab, Status::Refused, refusal);
            grade.edited = edited;
            Ok(Candidate::Done(Box::new(grade)))
        })
        .collect()
}

/// A solution that not even the compiler needs to see.
fn unreadable(lab: &Lab, settings: &Settings<'_>) -> Option<Grade> {
    let path = match settings.answer {
        Answer::Solution => settings.source.solution(lab),
        Answer::Reference => lab.reference(),
    };
    let shown = match settings.source {
        Source::Submission(_) => path.display().to_string(),
        _ => format!("labs/{}/{}/src/solution.rs", lab.part, lab.slug),
    };
    let reset = format!("`cargo make reset {}` puts a fresh one there", lab.slug);
    let found = match std::fs::read(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            format!("{shown} is gone; {reset}.")
        }
        Err(error) => format!("{shown} cannot be read ({error}); {reset}."),
        Ok(bytes) => match String::from_utf8(bytes) {
            Ok(_) => return None,
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let line = 1 + error.as_bytes()[..at]
                    .iter()
                    .filter(|&&byte| byte == b'\n')
                    .count();
                format!(
                    "{shown} is not UTF-8 text: line {line} holds bytes that are no character. \
                     Save it as UTF-8; {reset} and keeps this file beside it."
                )
            }
        },
    };
    Some(without_counts(lab, Status::DoesNotCompile, found))
}

fn without_counts(lab: &Lab, status: Status, detail: String) -> Grade {
    let score = (status != Status::Ungraded).then_some(0.0);
    let detail = Some(detail);
    Grade {
        lab: lab.clone(),
        status,
        counts: None,
        guards: Vec::new(),
        score,
        detail,
        edited: Vec::new(),
    }
}

fn scored(lab: &Lab, meter: &Meter, counts: Counts, guards: Vec<Guarded>) -> Grade {
    let improvement = counts.improvement();
    let passed = guards.iter().find(|guard| guard.is_passed());
    let detail = passed.map(|guard| {
        format!(
            "it takes {:.3} times the baseline's {}; this lab allows {:.2}\n  \
             where they are: cargo make explain {} --meter {}",
            guard.growth(),
            guard.meter.unit,
            guard.at_most,
            lab.slug,
            guard.meter.name
        )
    });
    let (status, score) = match passed {
        Some(_) => (Status::Guard, 0.0),
        None => (
            Status::Scored,
            score::score(improvement, lab.manifest.meter.full),
        ),
    };
    debug_assert_eq!(meter.name, lab.manifest.meter.name);
    Grade {
        lab: lab.clone(),
        status,
        counts: Some(counts),
        guards,
        score: Some(score),
        detail,
        edited: Vec::new(),
    }
}

/// `1 lab`, `3 labs`.
pub fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
