//! A loop run long enough that its start no longer matters.

use super::core_model::{Core, Limits};
use super::inst::{Program, Step};
use super::machine::Machine;
use super::report::PipelineReport;

/// A loop at steady state.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopReport {
    /// Cycles per iteration over the counted iterations.
    pub cycles_per_iteration: f64,
    /// Iterations counted.
    pub iterations: u64,
    /// Iterations run before.
    pub warm_up: u64,
    /// The counted iterations.
    pub run: PipelineReport,
}

/// Runs `warm_up` and then `iterations` iterations of the loop that `program` is; `steps` yields at
/// least that many, each ending with the program's last instruction.
#[must_use]
pub fn simulate_loop(
    machine: &'static Machine,
    program: &Program,
    warm_up: u64,
    iterations: u64,
    timeline: core::ops::Range<u64>,
    steps: impl Iterator<Item = Step>,
) -> LoopReport {
    let last = u32::try_from(program.insts.len().saturating_sub(1)).unwrap_or(u32::MAX);
    let mut ends = 0;
    let mut skip_steps = 0;
    let mut taken = alloc::vec::Vec::new();
    for step in steps {
        taken.push(step);
        if step.inst == last {
            ends += 1;
            if ends == warm_up {
                skip_steps = taken.len() as u64;
            }
            if ends == warm_up + iterations {
                break;
            }
        }
    }
    let limits = Limits {
        skip_steps,
        timeline,
        mark: Some(last),
    };
    let run = Core::new(machine, program, limits).run(taken.into_iter());
    let counted = ends.saturating_sub(warm_up).max(1);
    #[expect(
        clippy::cast_precision_loss,
        reason = "cycle counts stay far below 2^53"
    )]
    let cycles_per_iteration = run.cycles as f64 / counted as f64;
    LoopReport {
        cycles_per_iteration,
        iterations: counted,
        warm_up,
        run,
    }
}
