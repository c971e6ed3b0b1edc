//! The state of several workers in one vector: packed, or apart.
//!
//! The reader says where the fields lie; a coherence model counts the cache lines that move.

mod baseline;
mod coherence;
mod layout;
mod run;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;

pub use layout::{FIELD_BYTES, LINE_BYTES, Layout, MOST_BYTES};
pub use run::{Run, Verdict};

use lab_kit::{Case, Lab, ModelLab, Seed};

/// Says where the fields of a worker lie.
pub type LayOut = fn() -> Layout;

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct FalseSharing;

impl Lab for FalseSharing {
    type Input = Vec<Run>;
    type Output = Vec<Verdict>;
    type Function = LayOut;

    const BASELINE: LayOut = baseline::layout;
    const SOLUTION: LayOut = solution::layout;

    fn call(lay_out: LayOut, runs: &mut Vec<Run>) -> Vec<Verdict> {
        runs.iter().map(|run| run.play(lay_out).0).collect()
    }

    fn examples() -> Vec<Case<Self::Input>> {
        let run = Run {
            workers: 2,
            bursts: 10,
            steal_every: 5,
            seed: 1,
        };
        vec![Case::new("two workers", vec![run])]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Self::Input>> {
        [1, 3, 8]
            .map(|workers| {
                let run = Run {
                    workers,
                    bursts: 1000,
                    steal_every: 10,
                    seed: seed.bits(),
                };
                Case::new(format!("{workers} workers"), vec![run])
            })
            .to_vec()
    }

    /// Eight workers, and a steal for each two hundred bursts: steals are rare.
    fn metered() -> Self::Input {
        vec![Run {
            workers: 8,
            bursts: 200_000,
            steal_every: 200,
            seed: 1,
        }]
    }
}

impl ModelLab for FalseSharing {
    fn counts(lay_out: LayOut) -> Vec<(&'static str, u64)> {
        let transfers = Self::metered().into_iter().map(|run| run.play(lay_out).1);
        vec![("line-transfers", transfers.sum())]
    }
}
