//! The victim of a thief on a machine with several sockets: the one choice that stealing leaves.

mod baseline;
mod heist;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;

use lab_kit::{Case, Lab, ModelLab, Seed};
use models::scheduler::{Machine, machine_named};

pub use heist::{Heist, Neighbourhood, Verdict};
pub use models::scheduler::Prng;

/// Which worker to steal from.
pub type ChooseVictim = fn(&Neighbourhood, &mut Prng) -> usize;

/// By how much the metered programs and caches are scaled down.
const METERED_DIVISOR: u64 = 256;
/// For the gate: strands of a line or two, and just as many of them.
const GATE_DIVISOR: u64 = 2048;

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct HierarchyAwareStealing;

impl Lab for HierarchyAwareStealing {
    type Input = Vec<Heist>;
    type Output = Vec<Verdict>;
    type Function = ChooseVictim;

    const BASELINE: ChooseVictim = baseline::victim;
    const SOLUTION: ChooseVictim = solution::victim;

    fn call(choose: ChooseVictim, heists: &mut Vec<Heist>) -> Vec<Verdict> {
        heists.iter().map(|heist| heist.run(choose).0).collect()
    }

    fn examples() -> Vec<Case<Self::Input>> {
        vec![Case::new(
            "four workers",
            vec![Heist::new(named("tiny"), "rrm", 1024, 1)],
        )]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Self::Input>> {
        let one = Heist::new(Machine::flat(1), "rrm", GATE_DIVISOR, seed.bits());
        let two = Heist::new(Machine::flat(2), "rrg", GATE_DIVISOR, seed.bits());
        let chiplets = Heist::new(named("two-chiplets"), "rrm", GATE_DIVISOR, seed.bits());
        vec![
            Case::new("one worker", vec![one]),
            Case::new("two workers", vec![two]),
            Case::new("two chiplets", vec![chiplets]),
        ]
    }

    fn metered() -> Self::Input {
        ["rrm", "rrg"]
            .map(|program| Heist::new(named("xeon-7560"), program, METERED_DIVISOR, 1))
            .to_vec()
    }
}

impl ModelLab for HierarchyAwareStealing {
    fn counts(choose: ChooseVictim) -> Vec<(&'static str, u64)> {
        let outcomes = Self::metered().into_iter().map(|heist| {
            let (verdict, counted) = heist.run(choose);
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
