//! The grades of a class: each submission's table, and one line per submission at the end.

use std::fmt::Write as _;

use serde::Serialize;

use super::json::{Grades, SCHEMA_VERSION, pretty};
use super::text::{rounded, table};
use crate::grading::{Grade, Status};
use crate::host::terminal::{STRONG, WARN, paint, width, wrap};

/// What somebody handed in, graded.
#[derive(Debug)]
pub struct Handed {
    /// The folder, as it was named.
    pub name: String,
    /// The grades of the labs that were handed in.
    pub grades: Vec<Grade>,
    /// Labs without a solution; they count 0.
    pub missing: Vec<String>,
}

impl Handed {
    fn total(&self) -> f64 {
        self.grades.iter().filter_map(|grade| grade.score).sum()
    }

    fn labs(&self) -> usize {
        self.grades.len() + self.missing.len()
    }

    fn ungraded(&self) -> usize {
        let ungraded = self
            .grades
            .iter()
            .filter(|grade| grade.status == Status::Ungraded);
        ungraded.count()
    }
}

/// The grades for people.
pub fn text(class: &[Handed]) -> String {
    let mut text = String::new();
    for handed in class {
        let _ = writeln!(text, "{}", paint(STRONG, &handed.name));
        text.push_str(&table(&handed.grades));
        for grade in &handed.grades {
            if let (true, Some(detail)) = (grade.status != Status::Scored, &grade.detail) {
                let _ = writeln!(text, "\n{}: {detail}", paint(STRONG, &grade.lab.slug));
            }
        }
        if !handed.missing.is_empty() {
            let list = format!("not handed in, 0 each: {}", handed.missing.join(", "));
            let _ = write!(text, "\n{}", wrap(&list, width(), 2));
        }
        text.push('\n');
    }
    let longest = class.iter().map(|handed| handed.name.chars().count()).max();
    let name = longest.unwrap_or_default().max("submission".len());
    let heading = format!("{:name$}  handed in  total", "submission");
    let _ = writeln!(text, "{}", paint(STRONG, heading));
    for handed in class {
        let ungraded = match handed.ungraded() {
            0 => String::new(),
            count => paint(WARN, format!("  {count} ungraded")),
        };
        let _ = writeln!(
            text,
            "{:name$}  {:>9}  {:>5} of {}{ungraded}",
            handed.name,
            format!("{} of {}", handed.grades.len(), handed.labs()),
            rounded(handed.total()),
            100 * handed.labs(),
        );
    }
    text
}

#[derive(Serialize)]
struct Report<'a> {
    schema_version: u32,
    submissions: Vec<Submission<'a>>,
}

#[derive(Serialize)]
struct Submission<'a> {
    submission: &'a str,
    #[serde(flatten)]
    grades: Grades<'a>,
    missing: &'a [String],
}

/// The grades for programs: `submissions`, each with its name, what `grade --format json` says of it,
/// and the labs that are `missing`.
pub fn json(class: &[Handed]) -> String {
    let submissions = class.iter().map(|handed| Submission {
        submission: &handed.name,
        grades: Grades::of(&handed.grades, handed.missing.len()),
        missing: &handed.missing,
    });
    pretty(&Report {
        schema_version: SCHEMA_VERSION,
        submissions: submissions.collect(),
    })
}
