//! The core: its stages, put together as the block diagram shows them.

use core::ops::Range;

use super::front_end::FrontEnd;
use super::inst::{Program, Step};
use super::machine::Machine;
use super::memory::Memory;
use super::rename::Rename;
use super::report::{Collector, PipelineReport};
use super::retire::Retire;
use super::scheduler::Scheduler;
use super::uop::Cycle;
use super::window::{NEVER, Window};

/// What to collect from a run.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Limits {
    /// Executed instructions to leave out of all statistics: the warm-up.
    pub skip_steps: u64,
    /// Executed instructions, by number in the stream, whose times are reported one by one.
    pub timeline: Range<u64>,
    /// Instruction whose retirements are reported one by one: the end of a loop's body.
    pub mark: Option<u32>,
}

/// A core that runs a stream of instructions.
pub struct Core<'program> {
    program: &'program Program,
    front_end: FrontEnd,
    rename: Rename,
    scheduler: Scheduler,
    memory: Memory,
    retire: Retire,
    window: Window,
    collector: Collector,
}

impl<'program> Core<'program> {
    /// A core with empty caches and an empty predictor.
    #[must_use]
    pub fn new(machine: &'static Machine, program: &'program Program, limits: Limits) -> Self {
        Self {
            program,
            front_end: FrontEnd::new(machine),
            rename: Rename::new(machine),
            scheduler: Scheduler::new(machine),
            memory: Memory::new(machine),
            retire: Retire::new(machine),
            window: Window::new(),
            collector: Collector::new(machine, program, limits),
        }
    }

    /// Runs `steps` to their end and reports.
    #[must_use]
    pub fn run(mut self, mut steps: impl Iterator<Item = Step>) -> PipelineReport {
        let mut now: Cycle = 0;
        loop {
            // Backwards through the pipeline, so that nothing passes two stages in one cycle.
            let retired = self.retire.tick(
                now,
                self.program,
                &mut self.window,
                &mut self.rename,
                &mut self.memory,
                &mut self.collector,
            );
            self.memory.tick(now);
            let issued = self.scheduler.tick(
                now,
                self.program,
                &mut self.window,
                &mut self.memory,
                &mut self.front_end,
            );
            let dispatched = self.rename.tick(
                now,
                self.program,
                &mut self.window,
                &mut self.scheduler,
                &mut self.memory,
                &mut self.front_end,
            );
            let fetched = self.front_end.tick(now, self.program, &mut steps);
            if self.front_end.is_drained() && self.window.head == self.window.tail {
                break;
            }
            now = if retired || issued || dispatched || fetched {
                now + 1
            } else {
                self.next_event(now)
            };
        }
        let (branches, mispredicts) = (self.front_end.branches, self.front_end.mispredicts);
        self.collector
            .finish(&self.window, branches, mispredicts, self.program)
    }

    /// Where to go on when nothing moved in this cycle.
    fn next_event(&self, now: Cycle) -> Cycle {
        let resume = self.front_end.resume_at;
        let fetch = if resume > now { resume } else { NEVER };
        let next = self
            .scheduler
            .next_event(now)
            .min(self.retire.next_event(&self.window))
            .min(self.memory.next_event())
            .min(fetch);
        if next == NEVER {
            now + 1
        } else {
            next.max(now + 1)
        }
    }
}
