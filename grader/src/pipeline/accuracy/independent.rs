//! Loops that others measured as wholes, in figures that no table of the model was made from.

use models::pipeline::Machine;

use super::modelled;

const LOOPS: &str = include_str!("../../../accuracy/independent.txt");

/// A published loop and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct IndependentLoop {
    /// Its name.
    pub name: &'static str,
    /// The machine.
    pub machine: &'static str,
    /// Cycles per iteration.
    pub cycles: f64,
    /// `loop` as published, or `chain` for what a measuring tool ran.
    pub kind: &'static str,
    /// Who measured it.
    pub source: &'static str,
    /// The text, with its closing jump.
    pub text: String,
}

/// The loops measured on `machine`.
///
/// # Panics
///
/// If the committed file is not in its own format, which a test would notice.
pub fn independent_loops(machine: &Machine) -> Vec<IndependentLoop> {
    let sections = LOOPS.split("=== ").skip(1);
    let parse = |section: &'static str| {
        let (head, body) = section.split_once('\n').expect("a section has a body");
        let columns: Vec<&str> = head.split(" | ").collect();
        let [name, machine, cycles, kind, source] = columns[..] else {
            panic!("`{head}` has not five columns")
        };
        let mut text = repeated(body);
        if kind == "chain" {
            text = format!("loop:\n{text}dec r15\njnz loop\n");
        } else if !text.contains(':') {
            text = format!("loop:\n{text}");
        }
        IndependentLoop {
            name,
            machine,
            cycles: cycles.parse().expect("cycles are a number"),
            kind,
            source,
            text,
        }
    };
    sections
        .map(parse)
        .filter(|one| one.machine == machine.name)
        .collect()
}

/// Replaces the lines between `@repeat N` and `@end` by N copies.
fn repeated(body: &str) -> String {
    let Some((before, rest)) = body.split_once("@repeat ") else {
        return body.to_string();
    };
    let (count, rest) = rest.split_once('\n').expect("`@repeat` ends its line");
    let (inner, after) = rest.split_once("@end\n").expect("`@repeat` has an end");
    let count = count.parse().expect("`@repeat` has a number");
    format!("{before}{}{after}", inner.repeat(count))
}

/// How far the model is off for `one`, as a fraction, and what it says.
pub fn against_model(one: &IndependentLoop, machine: &'static Machine) -> (f64, f64) {
    let answer = modelled(&one.text, machine);
    ((answer - one.cycles).abs() / one.cycles, answer)
}
