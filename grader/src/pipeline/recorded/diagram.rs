//! The diagram of some iterations of a recording's hottest loop.

use std::ops::Range;

use models::pipeline::{Limits, PipelineReport};

use super::{RecordedAnalysis, RecordedLine, Recording};
use crate::pipeline::analysis::{Analysis, Event, Line, PortUse, ratio};

/// Executed instructions that a diagram shows at most.
pub const MOST_ROWS: usize = 64;

/// The steps of the iterations `wanted`, counted from the middle of the recording on, of the hottest
/// chain, as far as they fit a diagram. Also whether all of them do.
#[must_use]
pub fn steps_of(
    recording: &Recording,
    analysis: &RecordedAnalysis,
    wanted: &Range<u64>,
) -> (Range<u64>, bool) {
    let Some(chain) = analysis.chains.first() else {
        return (0..0, true);
    };
    let head = chain.instructions[0];
    let starts: Vec<usize> = (0..)
        .zip(&recording.steps)
        .filter(|(_, step)| step.inst as usize == head)
        .map(|(at, _)| at)
        .collect();
    let all = recording.steps.len();
    let start_of = |iteration: u64| {
        let at = starts.len() as u64 / 2 + iteration;
        let at = usize::try_from(at).unwrap_or(usize::MAX);
        starts.get(at).copied().unwrap_or(all)
    };
    let from = start_of(wanted.start);
    let end = start_of(wanted.end);
    let to = end.min(from + MOST_ROWS);
    (from as u64..to as u64, to == end)
}

/// Runs `recording` again and follows `steps` one by one.
#[must_use]
pub fn follow(recording: &Recording, analysis: &RecordedAnalysis, steps: Range<u64>) -> Analysis {
    let run = recording.run(Limits {
        timeline: steps,
        ..Limits::default()
    });
    let head = analysis
        .chains
        .first()
        .and_then(|chain| chain.instructions.first());
    let cycles_per_iteration = analysis
        .chains
        .first()
        .map_or(0.0, |chain| chain.cycles_per_time);
    Analysis {
        schema_version: analysis.schema_version,
        name: analysis.name.clone(),
        machine: analysis.machine,
        machine_title: analysis.machine_title,
        iterations: analysis.chains.first().map_or(0, |chain| chain.times),
        cycles_per_iteration,
        instructions_per_cycle: analysis.ipc,
        mispredicts_per_iteration: ratio(analysis.mispredicts, analysis.coverage.instructions),
        limit: analysis.limit,
        split: analysis.split,
        ports: Vec::<PortUse>::new(),
        instructions: analysis.instructions.iter().map(line).collect(),
        unknown: Vec::new(),
        unknown_branches: 0,
        // Of a fused pair only the second instruction is seen on its way.
        timeline: events(
            &run,
            head.map(|&at| at + usize::from(analysis.instructions[at].fused_with_next)),
        ),
    }
}

fn line(line: &RecordedLine) -> Line {
    Line {
        line: 0,
        text: line.text.clone(),
        executions: line.executions,
        er_distance: line.er_distance,
        short_er: line.short_er,
        critical: line.critical,
        on_path: line.on_path,
        path_cycles: ratio(line.path_cycles, line.executions),
        fused_with_next: line.fused_with_next,
        wait_operands: line.wait_operands,
        wait_port: line.wait_port,
        wait_memory: line.wait_memory,
        wait_front_end: line.wait_front_end,
        wait_window: line.wait_window,
        ports: Vec::new(),
    }
}

fn events(run: &PipelineReport, head: Option<usize>) -> Vec<Event> {
    let mut starts = 0_u64;
    let mut events = Vec::new();
    for entry in &run.timeline {
        let instruction = entry.inst as usize;
        starts += u64::from(Some(instruction) == head);
        events.push(Event {
            iteration: starts.saturating_sub(1),
            instruction,
            dispatched: entry.dispatched,
            ready: entry.ready,
            issued: entry.issued,
            completed: entry.completed,
            retired: entry.retired,
        });
    }
    events
}
