//! A multicore in virtual time: fork-join programs, schedulers, and the caches they share.
//!
//! Three interfaces meet here. A [`Program`] says what strands touch and how they fork; a
//! [`Scheduler`] decides who runs them; a [`Machine`] says what that costs. [`simulate`] plays the
//! three against each other, one event after the other, and counts: misses of the shared caches,
//! the makespan, and where each worker's time went. The same inputs give the same bytes, natively
//! and in the browser.
//!
//! A machine without caches ([`Machine::flat`]) leaves the plain scheduling model: strands compute
//! for as many cycles as they say, and callbacks cost what [`Costs`] says.
//!
//! Source: Simhadri, Blelloch, Fineman, Gibbons, Kyrola, "Experimental Analysis of Space-Bounded
//! Schedulers", ACM TOPC 3(1), 2016.

mod cache;
mod error;
mod hierarchy;
mod locks;
mod machine;
mod machines;
mod outcome;
mod policies;
mod policy;
mod presence;
mod prng;
mod program;
/// The programs of the paper.
pub mod programs;
mod scale;
mod simulation;
mod slab;
mod streamer;
mod touched;

pub use cache::{Cache, Replacement};
pub use error::{Fault, MachineError, ScheduleError};
pub use hierarchy::LevelCount;
pub use locks::{LockCosts, LockUse, Locks};
pub use machine::{Level, Machine};
pub use machines::{
    MACHINES, NamedMachine, desktop_8, machine_named, tiny, two_chiplets, xeon_7560,
};
pub use outcome::{Outcome, Segment, Understated, WorkerTimes};
pub use policies::{
    Bounds, BuildPolicy, GlobalQueue, Order, POLICIES, PolicySettings, SpaceBounded, TopQueues,
    VictimWeights, WorkStealing, policy_named,
};
pub use policy::{Costs, Job, JobId, Next, Scheduler, TaskId, WorkerId};
pub use prng::{Prng, mix};
pub use program::{Access, Program, Range, Script, Size, read, write};
pub use scale::{Scale, ScaleError};
pub use simulation::{Options, Simulation, simulate};
pub use streamer::Streamer;

/// As many workers as the directory of cached lines has bits for.
pub const MAX_WORKERS: usize = 64;
