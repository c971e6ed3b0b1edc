//! The programs: each generates its own tasks and accesses, at the paper's size or scaled down.
//!
//! Source of all of them: Simhadri et al., TOPC 2016, section 5.1, and the sizes and annotations in
//! the harness that the authors published with it.

mod aware_samplesort;
mod collect;
mod matmul;
mod parts;
mod quad_tree;
mod quicksort;
mod rrg;
mod rrm;
mod samplesort;

pub use aware_samplesort::{AwareSamplesort, AwareStrand};
pub use matmul::{Matmul, MatmulStrand};
pub use quad_tree::{QuadStrand, QuadTree};
pub use quicksort::{QuickStrand, Quicksort};
pub use rrg::{Rrg, RrgStrand};
pub use rrm::{Rrm, RrmStrand};
pub use samplesort::{SampleStrand, Samplesort};

use super::error::ScheduleError;
use super::machine::Machine;
use super::outcome::Outcome;
use super::policy::Scheduler;
use super::scale::Scale;
use super::simulation::{Options, simulate};

/// Runs a named program.
pub type RunProgram =
    fn(Scale, &Machine, &mut dyn Scheduler, Options) -> Result<Outcome, ScheduleError>;

/// All programs that have a name.
pub const PROGRAMS: &[(&str, RunProgram)] = &[
    ("rrm", |scale, machine, scheduler, options| {
        simulate(machine, &Rrm::new(scale), scheduler, options)
    }),
    // The same on so few items that the scale leaves it alone.
    ("rrm-tiny", |_, machine, scheduler, options| {
        simulate(machine, &Rrm::drawable(), scheduler, options)
    }),
    ("rrg", |scale, machine, scheduler, options| {
        simulate(machine, &Rrg::new(scale), scheduler, options)
    }),
    ("quicksort", |scale, machine, scheduler, options| {
        simulate(machine, &Quicksort::new(scale), scheduler, options)
    }),
    ("samplesort", |scale, machine, scheduler, options| {
        simulate(machine, &Samplesort::new(scale), scheduler, options)
    }),
    ("aware-samplesort", |scale, machine, scheduler, options| {
        simulate(machine, &AwareSamplesort::new(scale, 1), scheduler, options)
    }),
    ("quad-tree", |scale, machine, scheduler, options| {
        simulate(machine, &QuadTree::new(scale), scheduler, options)
    }),
    ("matmul", |scale, machine, scheduler, options| {
        simulate(machine, &Matmul::new(scale), scheduler, options)
    }),
];

/// The program with this name, in any case, if there is one.
pub fn program_named(name: &str) -> Option<RunProgram> {
    PROGRAMS
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name))
        .map(|(_, run)| *run)
}
