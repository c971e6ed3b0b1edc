//! The code that the critical path goes through, cut into loops and the straight code of functions.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use models::pipeline::BranchKind;
use serde::Serialize;

use super::{RecordedLine, Recording};
use crate::pipeline::analysis::ratio;

/// A loop, or what of a function stands in no loop, with its share of the critical path.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Chain {
    /// The function that most of its critical path comes from.
    pub function: String,
    /// The line that most of its critical path comes from, as `file:line`.
    pub line: Option<String>,
    /// Whether it is a loop.
    pub is_loop: bool,
    /// Percent of all cycles.
    pub percent: f64,
    /// Cycles of the critical path in it.
    pub cycles: u64,
    /// Iterations of the loop, or executions of the first instruction.
    pub times: u64,
    /// Cycles of the critical path per iteration.
    pub cycles_per_time: f64,
    /// Its instructions, in order of their addresses.
    pub instructions: Vec<usize>,
}

/// A loop by its places in the program: of its head, and of the last jump back to it.
type Span = (usize, usize);

/// The chains of a run, hottest first. Their cycles add up to the run's.
pub(super) fn chains(recording: &Recording, lines: &[RecordedLine], cycles: u64) -> Vec<Chain> {
    let loops = loops(recording, lines);
    // The innermost loop around each instruction is the shortest.
    let innermost = |at: usize| {
        let around = loops.iter().filter(|span| (span.0..=span.1).contains(&at));
        around.copied().min_by_key(|span| span.1 - span.0)
    };
    let mut groups: BTreeMap<(Option<Span>, &str), Vec<usize>> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let span = innermost(at);
        let function = match span {
            Some(_) => "",
            None => line.source.function.as_str(),
        };
        groups.entry((span, function)).or_default().push(at);
    }
    let mut chains: Vec<Chain> = groups
        .into_iter()
        .map(|((span, _), instructions)| chain(span, instructions, lines, cycles))
        .collect();
    chains.sort_by_key(|chain| Reverse(chain.cycles));
    chains
}

fn chain(
    span: Option<Span>,
    instructions: Vec<usize>,
    lines: &[RecordedLine],
    all_cycles: u64,
) -> Chain {
    let cycles = instructions.iter().map(|&at| lines[at].path_cycles).sum();
    let first = span.map_or(instructions[0], |span| span.0);
    let times = lines[first].executions;
    let mut by_source: BTreeMap<(&str, Option<&str>), u64> = BTreeMap::new();
    for &at in &instructions {
        let source = &lines[at].source;
        let key = (source.function.as_str(), source.line.as_deref());
        // One more than the cycles, so that code off the path has a name, too.
        *by_source.entry(key).or_default() += lines[at].path_cycles + 1;
    }
    let hottest = by_source.into_iter().max_by_key(|&(_, cycles)| cycles);
    let ((function, line), _) = hottest.expect("a chain has at least one instruction");
    Chain {
        function: function.to_owned(),
        line: line.map(str::to_owned),
        is_loop: span.is_some(),
        percent: 100.0 * ratio(cycles, all_cycles),
        cycles,
        times,
        cycles_per_time: ratio(cycles, times),
        instructions,
    }
}

/// Every target of jumps backwards, with the last jump to it, if they are at least half of its
/// executions: cold code that was moved behind jumps backwards, too, and is no loop.
fn loops(recording: &Recording, lines: &[RecordedLine]) -> Vec<Span> {
    let insts = &recording.program().insts;
    let mut ends: BTreeMap<usize, (usize, u64)> = BTreeMap::new();
    for pair in recording.steps.windows(2) {
        let (from, to) = (pair[0].inst as usize, pair[1].inst as usize);
        let jumps = matches!(
            insts[from].branch,
            BranchKind::Conditional | BranchKind::Jump
        );
        if jumps && to <= from && pair[0].next_address == insts[to].address {
            let (end, jumps) = ends.entry(to).or_insert((from, 0));
            *end = from.max(*end);
            *jumps += 1;
        }
    }
    ends.into_iter()
        .filter(|&(head, (_, jumps))| jumps * 2 >= lines[head].executions)
        .map(|(head, (end, _))| (head, end))
        .collect()
}
