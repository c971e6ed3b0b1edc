//! When to stop forking: one rule for fib, quicksort and matmul at once.
//!
//! The programs run in virtual time on a model machine of 16 workers under random work stealing.
//! A fork costs what the model's queues cost; what is scored is the sum of the three makespans.

mod baseline;
mod call;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;
mod trial;

pub use call::Call;
pub use trial::{Trial, Verdict};

use lab_kit::{Case, Lab, ModelLab, Seed};

/// Virtual cycles of one operation on a queue: what an uncontended push or pop of a lock-free
/// deque takes, fence included.
pub const QUEUE_CYCLES: u64 = 15;

/// Virtual cycles of one fork. Two parts and what comes after them are three strands, and each is
/// added to a queue, got from it, and reported done.
pub const FORK_CYCLES: u64 = 9 * QUEUE_CYCLES;

/// Says whether to fork a call on a machine of so many workers.
pub type Fork = fn(Call, usize) -> bool;

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct GrainSize;

impl Lab for GrainSize {
    type Input = Vec<Trial>;
    type Output = Vec<Verdict>;
    type Function = Fork;

    const BASELINE: Fork = baseline::fork;
    const SOLUTION: Fork = solution::fork;

    fn call(fork: Fork, trials: &mut Vec<Trial>) -> Vec<Verdict> {
        trials.iter().map(|trial| trial.run(fork).0).collect()
    }

    fn examples() -> Vec<Case<Self::Input>> {
        let call = Call::Fib { n: 5 };
        vec![Case::new("fib of five", vec![Trial { call, workers: 2 }])]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Self::Input>> {
        let n = seed.between(2, 14) as u64;
        let calls = [
            Call::Fib { n: 0 },
            Call::Fib { n: 1 },
            Call::Fib { n },
            Call::Quicksort { elements: 0 },
            Call::Quicksort { elements: 1 },
            Call::Quicksort { elements: 100 * n },
            Call::Matmul {
                rows: 0,
                columns: 5,
                inner: 5,
            },
            Call::Matmul {
                rows: 1,
                columns: 1,
                inner: 100_000,
            },
            Call::Matmul {
                rows: n,
                columns: 2 * n,
                inner: 9,
            },
        ];
        [1, 2, 16]
            .map(|workers| {
                let trials = calls.map(|call| Trial { call, workers }).to_vec();
                Case::new(format!("small calls, {workers} workers"), trials)
            })
            .to_vec()
    }

    /// Sizes at which the three programs have about the same work.
    fn metered() -> Self::Input {
        let calls = [
            Call::Fib { n: 24 },
            Call::Quicksort { elements: 20_000 },
            Call::Matmul {
                rows: 96,
                columns: 96,
                inner: 96,
            },
        ];
        calls.map(|call| Trial { call, workers: 16 }).to_vec()
    }
}

impl ModelLab for GrainSize {
    fn counts(fork: Fork) -> Vec<(&'static str, u64)> {
        let makespans = Self::metered().into_iter().map(|trial| trial.run(fork).1);
        vec![("makespan", makespans.sum())]
    }
}
