//! The loops that the model is held against, what is expected of them, and how far off the model is.

mod blocks;
mod independent;

use models::pipeline::Machine;

use super::{Request, analyze};
pub use blocks::{Block, MeasuredBlock, blocks, listing, measure};
pub use independent::{IndependentLoop, against_model, independent_loops};

const LOOPS: &str = include_str!("../../accuracy/loops.txt");
const EXPECTED: &str = include_str!("../../accuracy/expected.txt");

/// Iterations counted per loop; as in the command, divisible by many numbers.
const ITERATIONS: u64 = 720;

/// A loop of the set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SetLoop {
    /// Its name.
    pub name: &'static str,
    /// What kind of limit it was written for.
    pub group: &'static str,
    /// The text, with its closing jump.
    pub text: String,
}

/// What a loop takes on a machine, by measurement.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expected {
    /// The loop.
    pub name: &'static str,
    /// The machine.
    pub machine: &'static str,
    /// Cycles per iteration.
    pub cycles: f64,
    /// Where the figure comes from.
    pub source: &'static str,
    /// Why the model is further off than 15 %, when it is.
    pub explained: Option<&'static str>,
}

/// A loop with what was expected and what the model says.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The expectation.
    pub expected: Expected,
    /// The model's cycles per iteration.
    pub modelled: f64,
}

impl Comparison {
    /// How far the model is off, as a fraction of the expected cycles.
    pub fn error(&self) -> f64 {
        (self.modelled - self.expected.cycles).abs() / self.expected.cycles
    }
}

/// All loops of the set.
///
/// # Panics
///
/// If the committed file is not in its own format, which a test would notice.
pub fn loops() -> Vec<SetLoop> {
    let sections = LOOPS.split("=== ").skip(1);
    let parse = |section: &'static str| {
        let (head, body) = section.split_once('\n').expect("a section has a body");
        let (name, group) = head.split_once(" | ").expect("a head names a group");
        let start = if body.contains("loop:") {
            ""
        } else {
            "loop:\n"
        };
        let text = format!("{start}{}\ndec r15\njnz loop\n", body.trim_end());
        SetLoop { name, group, text }
    };
    sections.map(parse).collect()
}

/// All expectations.
///
/// # Panics
///
/// If the committed file is not in its own format, which a test would notice.
pub fn expectations() -> Vec<Expected> {
    let lines = EXPECTED
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let parse = |line: &'static str| {
        let columns: Vec<&'static str> = line.split('|').map(str::trim).collect();
        let [name, machine, cycles, source, ref rest @ ..] = columns[..] else {
            panic!("`{line}` has too few columns")
        };
        let cycles = cycles.parse().expect("cycles are a number");
        Expected {
            name,
            machine,
            cycles,
            source,
            explained: rest.first().copied(),
        }
    };
    lines.map(parse).collect()
}

/// The model's cycles per iteration for `text`.
///
/// # Panics
///
/// If the text is not a loop: the set holds loops only.
pub fn modelled(text: &str, machine: &'static Machine) -> f64 {
    let request = Request {
        name: "",
        text,
        machine,
        iterations: ITERATIONS,
        followed: 0..0,
    };
    let analysis = analyze(&request).unwrap_or_else(|error| panic!("{error} in\n{text}"));
    assert!(
        analysis.unknown.is_empty(),
        "{:?} in\n{text}",
        analysis.unknown
    );
    analysis.cycles_per_iteration
}

/// Every expectation for `machine` beside what the model says.
pub fn compare(machine: &'static Machine) -> Vec<Comparison> {
    let set = loops();
    let mine = expectations()
        .into_iter()
        .filter(|expected| expected.machine == machine.name);
    let compare = |expected: Expected| {
        let found = set.iter().find(|one| one.name == expected.name)?;
        Some(Comparison {
            expected,
            modelled: modelled(&found.text, machine),
        })
    };
    mine.filter_map(compare).collect()
}

/// The mean of the comparisons' errors, as a fraction.
#[expect(
    clippy::cast_precision_loss,
    reason = "there are fewer than a hundred loops"
)]
pub fn mean_error(comparisons: &[Comparison]) -> f64 {
    comparisons.iter().map(Comparison::error).sum::<f64>() / comparisons.len().max(1) as f64
}
