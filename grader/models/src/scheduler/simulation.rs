//! The event loop: workers, virtual time, and the bookkeeping of forks and joins.
//!
//! Events are ordered by time, then by worker, so a run depends on its inputs alone. A strand runs
//! in bursts of a few lines; caches and memory controllers see the bursts of all workers interleaved
//! in time. A worker that was told to wait is not asked again until something changes, and then
//! within the cost of one attempt, at random, as a worker that polls would have looked.

mod asking;
mod faults;
mod strands;
#[cfg(test)]
mod tests;

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::error::ScheduleError;
use super::hierarchy::Hierarchy;
use super::machine::Machine;
use super::outcome::{Outcome, Segment, Understated, WorkerTimes};
use super::policy::{Costs, Job, Scheduler, TaskId, WorkerId};
use super::prng::Prng;
use super::program::{Program, Script};
use super::slab::Slab;

/// Settings of a run that belong to neither machine, program nor scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Lines that a worker touches before another may come in between.
    pub burst_lines: u64,
    /// Keep every strand for a timeline.
    pub record: bool,
    /// Seed of the moments at which waiting workers look again.
    pub seed: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            burst_lines: 32,
            record: false,
            seed: 1,
        }
    }
}

#[derive(Debug)]
struct Ready<S> {
    job: Job,
    strand: S,
    frame: Option<u32>,
    path_cycles: u64,
    added_at_event: u64,
    running: bool,
}

/// A fork that waits for its children.
#[derive(Debug)]
struct Frame<S> {
    left: usize,
    continuation: S,
    task: TaskId,
    parent_task: Option<TaskId>,
    frame: Option<u32>,
    path_cycles: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Asking,
    Waiting {
        since: u64,
        until: Wake,
    },
    Running {
        slot: u32,
        since: u64,
        step: usize,
        burst: u64,
        stolen: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wake {
    Add,
    AddOrDone,
}

#[derive(Debug)]
struct Worker<S> {
    state: State,
    script: Script<S>,
    part: usize,
    times: WorkerTimes,
}

/// A run in progress.
#[derive(Debug)]
pub struct Simulation<'a, P: Program> {
    program: &'a P,
    options: Options,
    costs: Costs,
    queue_cycles: u64,
    hierarchy: Hierarchy,
    workers: Vec<Worker<P::Strand>>,
    jobs: Slab<Ready<P::Strand>>,
    frames: Slab<Frame<P::Strand>>,
    tasks: Slab<()>,
    agenda: BinaryHeap<Reverse<(u64, usize)>>,
    events: u64,
    waiting_jobs: usize,
    running_jobs: usize,
    failed_in_a_row: u64,
    waiting_workers: usize,
    strands: u64,
    understated_tasks: u64,
    first_understated: Option<Understated>,
    timeline: Vec<Segment>,
    part_misses: Vec<u64>,
    part_touches: Vec<u64>,
    prng: Prng,
    finished: Option<(u64, u64)>,
}

/// Runs `program` on `machine` under `scheduler`.
///
/// ```
/// use models::scheduler::{Machine, Options, Scale, WorkStealing, programs::Rrm, simulate};
///
/// let program = Rrm::new(Scale::new(4096)?);
/// let machine = Machine::flat(4);
/// let outcome = simulate(&machine, &program, &mut WorkStealing::new(4, 1), Options::default())?;
/// assert!(outcome.makespan_cycles >= outcome.work_cycles() / 4);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// If the scheduler breaks its contract; the error says at which event.
pub fn simulate<P: Program>(
    machine: &Machine,
    program: &P,
    scheduler: &mut dyn Scheduler,
    options: Options,
) -> Result<Outcome, ScheduleError> {
    Simulation::new(machine, program, options).run(scheduler)
}

impl<'a, P: Program> Simulation<'a, P> {
    /// A run that has not started.
    pub fn new(machine: &Machine, program: &'a P, options: Options) -> Self {
        let workers = machine.workers();
        Self {
            program,
            options,
            costs: Costs::deque(machine.queue_cycles),
            queue_cycles: machine.queue_cycles,
            hierarchy: Hierarchy::new(machine, program.address_space_bytes()),
            workers: (0..workers)
                .map(|_| Worker {
                    state: State::Asking,
                    script: Script::default(),
                    part: 0,
                    times: WorkerTimes::default(),
                })
                .collect(),
            jobs: Slab::new(),
            frames: Slab::new(),
            tasks: Slab::new(),
            agenda: BinaryHeap::new(),
            events: 0,
            waiting_jobs: 0,
            running_jobs: 0,
            failed_in_a_row: 0,
            waiting_workers: 0,
            strands: 0,
            understated_tasks: 0,
            first_understated: None,
            timeline: Vec::new(),
            part_misses: Vec::new(),
            part_touches: Vec::new(),
            prng: Prng::new(options.seed),
            finished: None,
        }
    }

    /// Callbacks made so far: after a panic of a scheduler, the event in which it panicked.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Runs to the end.
    ///
    /// # Errors
    /// If the scheduler breaks its contract; the error says at which event.
    pub fn run(&mut self, scheduler: &mut dyn Scheduler) -> Result<Outcome, ScheduleError> {
        self.costs = scheduler.costs(self.queue_cycles);
        self.costs.failed_get = self.costs.failed_get.max(1);
        let root = self.program.root();
        let task = TaskId(self.tasks.insert(()).0 as usize);
        self.add(scheduler, WorkerId(0), root, (task, None, true), None, 0, 0);
        let added = self.after_callbacks(0, 0);
        self.agenda.push(Reverse((added, 0)));
        self.agenda
            .extend((1..self.workers.len()).map(|worker| Reverse((0, worker))));

        while self.finished.is_none() {
            let Some(Reverse((now, worker))) = self.agenda.pop() else {
                return Err(self.fault_about_waiting(0, true));
            };
            self.serve(scheduler, now, worker)?;
        }
        let (makespan, span) = self.finished.expect("the loop ended");
        Ok(self.outcome(makespan, span))
    }

    /// Serves whoever is the next in time, this worker first, until one has nothing to do next.
    fn serve(
        &mut self,
        scheduler: &mut dyn Scheduler,
        now: u64,
        worker: usize,
    ) -> Result<(), ScheduleError> {
        let (mut now, mut worker) = (now, worker);
        loop {
            let next = match self.workers[worker].state {
                State::Running { .. } => self.advance(scheduler, now, worker),
                State::Asking | State::Waiting { .. } => self.ask(scheduler, now, worker)?,
            };
            if self.finished.is_some() {
                return Ok(());
            }
            let Some(next) = next else { return Ok(()) };
            now = next;
            // Changes places with whoever is earlier: one walk down the heap in place of two.
            if let Some(mut first) = self.agenda.peek_mut()
                && first.0 < (now, worker)
            {
                Reverse((now, worker)) = core::mem::replace(&mut *first, Reverse((now, worker)));
            }
        }
    }

    fn outcome(&mut self, makespan: u64, span: u64) -> Outcome {
        for worker in &mut self.workers {
            let times = &mut worker.times;
            let spent = times.callbacks() + times.active + times.empty_queue;
            // A last attempt may reach beyond the end; a waiting worker stops short of it.
            times.empty_queue = (times.empty_queue + makespan).saturating_sub(spent);
        }
        Outcome {
            makespan_cycles: makespan,
            span_cycles: span,
            levels: self.hierarchy.counts(),
            part_misses: core::mem::take(&mut self.part_misses),
            part_touches: core::mem::take(&mut self.part_touches),
            prefetched: self.hierarchy.prefetched(),
            invalidations: self.hierarchy.invalidations(),
            workers: self.workers.iter().map(|worker| worker.times).collect(),
            strands: self.strands,
            events: self.events,
            understated_tasks: self.understated_tasks,
            first_understated: self.first_understated.clone(),
            timeline: core::mem::take(&mut self.timeline),
        }
    }
}
