//! A worker's deque: from a lock to none on the owner's side.
//!
//! Scored on one thread, where the lock is never contended: what is left is what every fork of a
//! program pays. The gate is on two, with loom, which tries the interleavings one by one.

mod baseline;
mod script;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;
mod sync;

pub use script::{Call, Taken, fork_join};

use lab_kit::{Case, Lab, Seed};

/// Room for this many entries. The gate's model has room for 2, so that every scenario wraps.
pub const SLOTS: usize = 64;

/// Plays calls against a new deque.
pub type Play = fn(&[Call]) -> Taken;

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct TheDeque;

impl Lab for TheDeque {
    type Input = Vec<Call>;
    type Output = Taken;
    type Function = Play;

    const BASELINE: Play = play!(baseline::Deque);
    const SOLUTION: Play = play!(solution::Deque);

    fn call(play: Play, calls: &mut Self::Input) -> Taken {
        play(calls)
    }

    fn examples() -> Vec<Case<Self::Input>> {
        use Call::{Pop, Push, Steal};
        vec![
            Case::new(
                "youngest first",
                vec![Push(1), Push(2), Push(3), Pop, Pop, Pop, Pop],
            ),
            Case::new(
                "oldest stolen",
                vec![Push(1), Push(2), Push(3), Steal, Pop, Steal, Steal],
            ),
        ]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Self::Input>> {
        let full = (0..2 * SLOTS as u64).map(Call::Push).chain([
            Call::Steal,
            Call::Push(7),
            Call::Push(8),
        ]);
        vec![
            Case::new("no calls", vec![]),
            Case::new("pop from nothing", vec![Call::Pop, Call::Steal, Call::Pop]),
            Case::new("more than fit", full.collect()),
            Case::new("a thousand around one slot", fork_join(1000, 1, 0, seed)),
            Case::new(
                "a deep program with thieves",
                fork_join(3000, SLOTS, 5, seed),
            ),
            Case::new("more steals than entries", fork_join(500, 3, 1, seed)),
        ]
    }

    /// As deep as fib(34) goes on average, and no thief: the owner's side is what is counted.
    fn metered() -> Self::Input {
        fork_join(50_000, 20, 0, &mut Seed::new(1))
    }
}
