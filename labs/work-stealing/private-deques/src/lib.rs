//! Where ready jobs wait: in one queue behind one lock, or with the workers that made them ready.
//!
//! The reader writes the policy; three fork-join programs run under it in virtual time, on a model
//! of 16 workers. A lock makes a worker wait while another holds it, and costs a cache line that
//! moves when another had it last.

mod baseline;
mod program;
mod queues;
mod shift;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;

pub use models::scheduler::{JobId, Prng};
pub use program::Call;
pub use queues::{Locked, Queues};
pub use shift::{Cost, Shift, Verdict};

use lab_kit::{Case, Lab, ModelLab, Seed};

/// One worker's part of a policy.
///
/// What a policy keeps in itself is the worker's own and costs nothing. What others may see has to be
/// in a queue, since in a real program it would be shared memory behind a lock.
pub trait Policy {
    /// `job` became ready on this worker.
    fn push(&mut self, job: JobId, queues: &mut Queues);
    /// This worker has nothing to run. One attempt to find something: after `None` it is asked
    /// again, as long as any job waits anywhere.
    fn next(&mut self, queues: &mut Queues) -> Option<JobId>;
}

/// Which worker a policy is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seat {
    /// The worker, `0..workers`.
    pub worker: usize,
    /// All workers.
    pub workers: usize,
    /// For a generator of its own.
    pub seed: u64,
}

/// Builds one worker's part of a policy.
pub type MakePolicy = fn(Seat) -> Box<dyn Policy>;

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct PrivateDeques;

impl Lab for PrivateDeques {
    type Input = Vec<Shift>;
    type Output = Vec<Verdict>;
    type Function = MakePolicy;

    const BASELINE: MakePolicy = baseline::policy;
    const SOLUTION: MakePolicy = solution::policy;

    fn call(make: MakePolicy, shifts: &mut Vec<Shift>) -> Vec<Verdict> {
        shifts.iter().map(|shift| shift.run(make).0).collect()
    }

    fn examples() -> Vec<Case<Self::Input>> {
        let shift = Shift {
            call: Call::Fib { n: 6 },
            workers: 2,
            stretch: 1,
            seed: 1,
        };
        vec![Case::new("fib of six", vec![shift])]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Self::Input>> {
        let n = seed.between(2, 14) as u64;
        let calls = [
            Call::Fib { n: 0 },
            Call::Fib { n },
            Call::Loop { steps: 0 },
            Call::Loop { steps: 100 * n + 1 },
            Call::Search { nodes: 1 },
            Call::Search { nodes: 99 * n },
        ];
        [1, 2, 3, 16]
            .map(|workers| {
                let shifts = calls.map(|call| Shift {
                    call,
                    workers,
                    stretch: 1,
                    seed: seed.bits(),
                });
                Case::new(format!("small calls, {workers} workers"), shifts.to_vec())
            })
            .to_vec()
    }

    fn metered() -> Self::Input {
        metered_with(16, 1)
    }
}

/// What the meter runs, with so many workers and tasks so many times as long. The three programs
/// have about the same work.
pub fn metered_with(workers: usize, stretch: u64) -> Vec<Shift> {
    let calls = [
        Call::Fib { n: 20 },
        Call::Loop { steps: 4096 },
        Call::Search { nodes: 14_000 },
    ];
    calls
        .map(|call| Shift {
            call,
            workers,
            stretch,
            seed: 1,
        })
        .to_vec()
}

impl ModelLab for PrivateDeques {
    fn counts(make: MakePolicy) -> Vec<(&'static str, u64)> {
        let makespans = Self::metered().into_iter().map(|shift| {
            let (verdict, cost) = shift.run(make);
            let cost = cost.unwrap_or_else(|| panic!("{}", verdict.refused.unwrap_or_default()));
            cost.makespan
        });
        vec![("makespan", makespans.sum())]
    }
}
