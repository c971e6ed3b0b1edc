//! A scheduler for a machine with four shared caches, judged by the misses of those caches.
//!
//! The reader's function builds a [`Scheduler`]; the model runs RRM, RRG and quicksort under it.

mod baseline;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;
mod trial;

use lab_kit::{Case, Lab, ModelLab, Seed};
use models::scheduler::{Machine, Scheduler, machine_named};

pub use trial::{Trial, Verdict};

/// Builds a scheduler for a machine; `seed` is for victims and the like.
pub type MakeScheduler = fn(&Machine, u64) -> Box<dyn Scheduler>;

/// By how much the metered programs and caches are scaled down: two seconds for all three.
const METERED_DIVISOR: u64 = 256;
/// For the gate: strands of a line or two, and just as many of them.
const GATE_DIVISOR: u64 = 2048;
/// The programs, as the model names them.
const PROGRAMS: [&str; 3] = ["rrm", "rrg", "quicksort"];

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct SpaceBoundedLab;

impl Lab for SpaceBoundedLab {
    type Input = Vec<Trial>;
    type Output = Vec<Verdict>;
    type Function = MakeScheduler;

    const BASELINE: MakeScheduler = baseline::make;
    const SOLUTION: MakeScheduler = solution::make;

    fn call(make: MakeScheduler, trials: &mut Vec<Trial>) -> Vec<Verdict> {
        trials.iter().map(|trial| trial.run(make).0).collect()
    }

    fn examples() -> Vec<Case<Self::Input>> {
        vec![Case::new(
            "RRM on the tiny machine",
            vec![Trial::new(named("tiny"), "rrm", 1024, 1)],
        )]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Self::Input>> {
        let one = Trial::new(Machine::flat(1), "rrm", GATE_DIVISOR, seed.bits());
        let flat = Trial::new(Machine::flat(3), "quicksort", GATE_DIVISOR, seed.bits());
        let desktop = Trial::new(named("desktop-8"), "rrg", GATE_DIVISOR, seed.bits());
        vec![
            Case::new("one worker without caches", vec![one]),
            Case::new("three workers without caches", vec![flat]),
            Case::new("eight workers under one cache", vec![desktop]),
        ]
    }

    fn metered() -> Self::Input {
        PROGRAMS
            .map(|program| Trial::new(named("xeon-7560"), program, METERED_DIVISOR, 1))
            .to_vec()
    }
}

impl ModelLab for SpaceBoundedLab {
    fn counts(make: MakeScheduler) -> Vec<(&'static str, u64)> {
        let outcomes = Self::metered().into_iter().map(|trial| {
            let (verdict, counted) = trial.run(make);
            counted.unwrap_or_else(|| panic!("{}", verdict.refused.unwrap_or_default()))
        });
        let (misses, makespan) = outcomes.fold((0, 0), |sum, outcome| {
            (
                sum.0 + outcome.outer_misses(),
                sum.1 + outcome.makespan_cycles,
            )
        });
        vec![("l3-misses", misses), ("makespan", makespan)]
    }
}

fn named(name: &str) -> Machine {
    machine_named(name).expect("the model has this machine")
}
