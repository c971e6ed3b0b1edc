//! The schedulers, and the table that names them.

mod global;
mod space_bounded;
mod work_stealing;

use alloc::boxed::Box;

pub use global::{GlobalQueue, Order};
pub use space_bounded::{Bounds, SpaceBounded, TopQueues};
pub use work_stealing::{VictimWeights, WorkStealing};

use super::machine::Machine;
use super::policy::Scheduler;

/// What a named scheduler is built from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicySettings {
    /// Seed of the random victims.
    pub seed: u64,
    /// σ and μ of the space-bounded schedulers.
    pub bounds: Bounds,
}

/// Builds a scheduler for a machine.
pub type BuildPolicy = fn(&Machine, &PolicySettings) -> Box<dyn Scheduler>;

/// All schedulers that have a name.
pub const POLICIES: &[(&str, BuildPolicy)] = &[
    ("ws", |machine, settings| {
        Box::new(WorkStealing::new(machine.workers(), settings.seed))
    }),
    ("pws", |machine, settings| {
        Box::new(WorkStealing::with_weights(
            machine.workers(),
            settings.seed,
            VictimWeights::socket_first(machine),
        ))
    }),
    ("sb", |machine, settings| {
        Box::new(SpaceBounded::new(
            machine,
            settings.bounds,
            TopQueues::Shared,
            settings.seed,
        ))
    }),
    ("sb-d", |machine, settings| {
        Box::new(SpaceBounded::new(
            machine,
            settings.bounds,
            TopQueues::PerChild,
            settings.seed,
        ))
    }),
    ("fifo", |_, _| Box::new(GlobalQueue::new(Order::Fifo))),
    ("lifo", |_, _| Box::new(GlobalQueue::new(Order::Lifo))),
];

/// The scheduler with this name, if there is one.
pub fn policy_named(name: &str) -> Option<BuildPolicy> {
    POLICIES
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, build)| *build)
}
