//! `grader explain`: where the cost sits, the baseline beside the reader's.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use clap::Args;

use super::{Outcome, print, tell, tell_no_more};
use crate::build::{self, Answer, BuiltLab, NotBuilt, Workspace};
use crate::course::{Course, Lab};
use crate::error::{Error, Exit};
use crate::grading::measure_variant;
use crate::host::terminal::{BAD, GOOD, QUIET, STRONG, paint, width, wrap};
use crate::hotspots::{self, Hotspots};
use crate::meter::Meter;
use crate::report::{factor, grouped};
use crate::store::memory::Memory;

/// How many functions and lines are shown for each variant.
const SHOWN: usize = 6;

/// What `explain` is told.
#[derive(Debug, Clone, Args)]
pub struct ExplainArgs {
    /// The lab
    pub lab: String,
    /// Look at the lab's reference instead of your solution
    #[arg(long)]
    pub reference: bool,
    /// The meter, if not the scored one
    #[arg(long)]
    pub meter: Option<String>,
}

/// Measures both variants, correct or not, and prints where their counts come from.
///
/// # Errors
///
/// If the lab does not compile or cannot be measured.
pub fn run(args: &ExplainArgs) -> Outcome {
    let course = Course::around_here()?;
    let lab = course.lab(&args.lab)?;
    let meter = match &args.meter {
        None => lab.manifest.scored_meter(),
        Some(name) => {
            Meter::named(name).ok_or_else(|| Error::UnknownMeter { name: name.clone() })?
        }
    };
    let answer = if args.reference {
        Answer::Reference
    } else {
        Answer::Solution
    };
    let built = build_one(&course, lab, answer)?;
    let memory = Memory::new(course.scratch().join("memory"), true);
    let measure = |variant| -> Result<Hotspots, Error> {
        let measured = measure_variant(&course, &built, variant, meter.instrument, &memory, &tell)?;
        hotspots::of(meter, &built, &measured)
    };
    let baseline = measure("baseline")?;
    let solution = measure("solution")?;
    tell_no_more();
    let name = if args.reference {
        "reference"
    } else {
        "solution"
    };
    print(&render(
        lab,
        meter,
        [("baseline", &baseline), (name, &solution)],
    ));
    Ok(Exit::Passed)
}

fn build_one(course: &Course, lab: &Lab, answer: Answer) -> Result<BuiltLab, Error> {
    tell(&format!("building {}", lab.slug));
    let workspace = Workspace {
        root: course.root.clone(),
        target: course.target(),
    };
    let mut built = build::labs(&workspace, std::slice::from_ref(lab), answer)?;
    let built = built.pop().expect("one result for the one lab built");
    built.map_err(|NotBuilt { compiler }| Error::Cargo(compiler))
}

fn render(lab: &Lab, meter: &Meter, variants: [(&str, &Hotspots); 2]) -> String {
    let mut text = String::new();
    let sums = variants.map(|(_, hotspots)| hotspots.values().sum::<u64>());
    let _ = writeln!(
        text,
        "{} of {}: {} → {}, {}",
        paint(STRONG, meter.unit),
        lab.slug,
        grouped(sums[0]),
        grouped(sums[1]),
        change(sums[0], sums[1]),
    );
    text.push_str(&functions(variants, sums));
    for ((name, hotspots), sum) in variants.into_iter().zip(sums) {
        text.push_str(&lines(name, hotspots, sum, lab));
    }
    if variants
        .iter()
        .all(|(_, hotspots)| hottest_is_the_baseline(hotspots))
    {
        let folded = "Both run the same machine code, and the compiler kept one copy of it, under the \
                      baseline's name.";
        let _ = write!(text, "\n{}", paint(QUIET, wrap(folded, width(), 0)));
    }
    text
}

fn hottest_is_the_baseline(hotspots: &Hotspots) -> bool {
    let hottest = hotspots.iter().max_by_key(|&(_, &count)| count);
    hottest.is_some_and(|(place, _)| place.file == "src/baseline.rs")
}

/// By how much a count moved.
fn change(before: u64, after: u64) -> String {
    match (before, after) {
        // Code at other addresses conflicts with other lines: a thousandth is no change.
        _ if before.abs_diff(after) * 1000 <= before => paint(QUIET, "unchanged"),
        (0, _) => paint(BAD, "new"),
        (_, 0) => paint(GOOD, "gone"),
        _ if after < before => paint(
            GOOD,
            format!("{} fewer", factor(before as f64 / after as f64)),
        ),
        _ => paint(
            BAD,
            format!("{} more", factor(after as f64 / before as f64)),
        ),
    }
}

/// The last two names of a function's path: the module tells baseline and solution apart.
fn short(function: &str) -> String {
    if function.contains('<') {
        return function.to_owned();
    }
    let names: Vec<_> = function.rsplit("::").take(2).collect();
    names.into_iter().rev().collect::<Vec<_>>().join("::")
}

/// A function's name without the module in which the two variants differ, so that the same function
/// of both stands in one row.
fn row_name(function: &str) -> String {
    short(
        &function
            .replace("::baseline::", "::")
            .replace("::solution::", "::"),
    )
}

fn functions(variants: [(&str, &Hotspots); 2], sums: [u64; 2]) -> String {
    let by_row = variants.map(|(_, hotspots)| {
        let mut rows: BTreeMap<String, u64> = BTreeMap::new();
        for (function, count) in hotspots::by_function(hotspots) {
            *rows.entry(row_name(&function)).or_default() += count;
        }
        rows
    });
    let names: BTreeSet<&String> = by_row.iter().flat_map(BTreeMap::keys).collect();
    let counts = |name: &String| [0, 1].map(|v: usize| by_row[v].get(name).copied().unwrap_or(0));
    let mut rows: Vec<_> = names.into_iter().map(|name| (name, counts(name))).collect();
    rows.sort_by_key(|(_, counts)| std::cmp::Reverse(counts.iter().max().copied()));
    let total = sums[0].max(sums[1]);
    let mut text = String::new();
    let names = variants.map(|(name, _)| name);
    let heading = format!(
        "{:34}  {:>13}  {:>13}  change",
        "function", names[0], names[1]
    );
    let _ = writeln!(text, "\n{}", paint(STRONG, heading));
    for (name, counts) in rows.into_iter().take(SHOWN) {
        // A thousandth of all is noise.
        if counts[0].max(counts[1]) * 1000 < total {
            continue;
        }
        let name = cut(name, 34);
        let [before, after] = counts.map(grouped);
        let moved = change(counts[0], counts[1]);
        let _ = writeln!(text, "{name:34}  {before:>13}  {after:>13}  {moved}");
    }
    text
}

fn lines(name: &str, hotspots: &Hotspots, sum: u64, lab: &Lab) -> String {
    let mut hottest: Vec<_> = hotspots.iter().collect();
    hottest.sort_by_key(|&(_, &count)| std::cmp::Reverse(count));
    let mut text = String::new();
    let _ = writeln!(text, "\n{}", paint(STRONG, format!("lines of the {name}")));
    for (place, &count) in hottest.into_iter().take(SHOWN) {
        let share = 100.0 * count as f64 / sum.max(1) as f64;
        if share < 0.1 {
            continue;
        }
        let at = match place.line {
            0 => place.file.clone(),
            line => format!("{}:{line}", place.file),
        };
        let _ = writeln!(text, "{share:5.1} %  {:>13}  {at}", grouped(count));
        if let Some(source) = source_line(&lab.folder.join(&place.file), place.line) {
            let _ = writeln!(
                text,
                "{:25}{}",
                "",
                paint(QUIET, cut(&source, width() - 25))
            );
        }
    }
    text
}

/// A line of a file of the lab, without its indentation.
fn source_line(file: &Path, line: u32) -> Option<String> {
    let text = fs::read_to_string(file).ok()?;
    let line = text
        .lines()
        .nth(usize::try_from(line).ok()?.checked_sub(1)?)?;
    Some(line.trim().to_owned())
}

fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let start: String = text.chars().take(most - 1).collect();
    start + "…"
}
