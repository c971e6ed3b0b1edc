//! The event loop: workers, virtual time, and the bookkeeping of forks and joins.
//!
//! Events are ordered by time, then by worker, so a run depends on its inputs alone. A strand runs
//! in bursts of a few lines; caches and memory controllers see the bursts of all workers interleaved
//! in time. A worker that was told to wait is not asked again until something changes, and then
//! within the cost of one attempt, at random, as a worker that polls would have looked.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

use super::error::{Fault, ScheduleError};
use super::hierarchy::Hierarchy;
use super::machine::Machine;
use super::outcome::{Outcome, Segment, Understated, WorkerTimes};
use super::policy::{Costs, Job, JobId, Next, Scheduler, TaskId, WorkerId};
use super::prng::Prng;
use super::program::{Program, Script};
use super::slab::Slab;
use super::touched::touched_bytes;

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

/// Attempts in a row, per worker, after which a scheduler that only says `Retry` is stuck. A random
/// thief that looks for the one job among 1000 workers fails this often with probability e^-20.
const PATIENCE_PER_WORKER: u64 = 20_000;

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
        self.agenda.push(Reverse((self.costs.add, 0)));
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

    /// Serves one worker for as long as it is the next in time.
    fn serve(
        &mut self,
        scheduler: &mut dyn Scheduler,
        now: u64,
        worker: usize,
    ) -> Result<(), ScheduleError> {
        let mut now = now;
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
            if self
                .agenda
                .peek()
                .is_some_and(|&Reverse(first)| first < (now, worker))
            {
                self.agenda.push(Reverse((now, worker)));
                return Ok(());
            }
        }
    }

    fn ask(
        &mut self,
        scheduler: &mut dyn Scheduler,
        now: u64,
        worker: usize,
    ) -> Result<Option<u64>, ScheduleError> {
        self.workers[worker].state = State::Asking;
        self.events += 1;
        let id = WorkerId(worker);
        match scheduler.get(id) {
            Next::Run(job) => self
                .start(now, worker, job, self.costs.get, false)
                .map(Some),
            Next::Steal { victim, job } => {
                if victim.0 >= self.workers.len() {
                    return Err(self.error(now, Fault::NoSuchVictim { worker: id, victim }));
                }
                self.start(now, worker, job, self.costs.get + self.costs.steal, true)
                    .map(Some)
            }
            Next::Retry => {
                self.count_failure(worker);
                self.workers[worker].times.empty_queue += self.costs.failed_get;
                let patience = PATIENCE_PER_WORKER * self.workers.len() as u64;
                if self.running_jobs == 0 && self.failed_in_a_row > patience {
                    return Err(self.fault_about_waiting(now, false));
                }
                Ok(Some(now + self.costs.failed_get))
            }
            Next::Idle => Ok(self.wait(now, worker, Wake::Add)),
            Next::Blocked => Ok(self.wait(now, worker, Wake::AddOrDone)),
        }
    }

    fn count_failure(&mut self, worker: usize) {
        self.failed_in_a_row += 1;
        if self.waiting_jobs > 0 {
            self.workers[worker].times.failed_while_jobs_waited += 1;
        }
    }

    fn wait(&mut self, now: u64, worker: usize, until: Wake) -> Option<u64> {
        self.count_failure(worker);
        self.workers[worker].state = State::Waiting { since: now, until };
        self.waiting_workers += 1;
        None
    }

    /// Puts workers that wait for this kind of change back on the agenda.
    fn wake(&mut self, now: u64, added: bool) {
        if self.waiting_workers == 0 {
            return;
        }
        let attempt = self.costs.failed_get;
        for (index, worker) in self.workers.iter_mut().enumerate() {
            if let State::Waiting { since, until } = worker.state
                && (added || until == Wake::AddOrDone)
            {
                // Workers that poll are out of step with one another. Waking them in the order of
                // their numbers would hand the first socket every job and fake locality.
                let at = since.max(now) + 1 + self.prng.below(attempt);
                worker.times.empty_queue += at - since;
                worker.state = State::Asking;
                self.waiting_workers -= 1;
                self.agenda.push(Reverse((at, index)));
            }
        }
    }

    fn start(
        &mut self,
        now: u64,
        worker: usize,
        id: JobId,
        cost: u64,
        stolen: bool,
    ) -> Result<u64, ScheduleError> {
        let current = self.jobs.generation(id.slot) == Some(id.generation);
        let waits = current && self.jobs.get(id.slot).is_some_and(|ready| !ready.running);
        if !waits {
            let worker = WorkerId(worker);
            let fault = if self.jobs.was_given(id.slot, id.generation) {
                Fault::Repeated { worker, job: id }
            } else {
                Fault::Invented { worker, job: id }
            };
            return Err(self.error(now, fault));
        }
        let ready = self.jobs.get_mut(id.slot).expect("it waits");
        ready.running = true;
        self.waiting_jobs -= 1;
        self.running_jobs += 1;
        self.failed_in_a_row = 0;
        self.strands += 1;

        let at = &mut self.workers[worker];
        at.times.get += cost;
        at.times.strands += 1;
        at.times.steals += u64::from(stolen);
        at.script.clear();
        at.part = self.program.part(&ready.strand);
        self.program.run(&ready.strand, &mut at.script);
        let task_bytes = ready.job.task_bytes;
        let touched = touched_bytes(&at.script.ranges, task_bytes);
        if touched > task_bytes {
            self.understated_tasks += 1;
            self.first_understated.get_or_insert(Understated {
                event: self.events,
                task_bytes,
                touched_bytes: touched,
            });
        }
        let since = now + cost;
        at.state = State::Running {
            slot: id.slot,
            since,
            step: 0,
            burst: 0,
            stolen,
        };
        Ok(since)
    }

    /// Runs one burst, or ends the strand.
    fn advance(&mut self, scheduler: &mut dyn Scheduler, now: u64, worker: usize) -> Option<u64> {
        let at = &mut self.workers[worker];
        let State::Running {
            slot,
            since,
            step,
            burst,
            stolen,
        } = at.state
        else {
            unreachable!("only a running worker advances");
        };
        let Some(current) = at.script.steps.get(step) else {
            self.finish(scheduler, now, worker, slot, since, stolen);
            return Some(self.after_callbacks(now, worker));
        };
        let ranges = &at.script.ranges[current.first_range..current.end_range];
        let mut cycles = current.cycles;
        let mut bursts = 1;
        if self.hierarchy.is_simulated() && !ranges.is_empty() {
            let lines: u64 = ranges
                .iter()
                .map(|range| self.hierarchy.lines_of(range))
                .sum();
            bursts = lines.div_ceil(self.options.burst_lines.max(1)).max(1);
            let share = |total: u64| (total * burst / bursts, total * (burst + 1) / bursts);
            let (from, to) = share(current.cycles);
            cycles = to - from;
            let missed_before = self.hierarchy.outer_misses();
            for range in ranges {
                let units = if range.rows == 1 {
                    self.hierarchy.lines_of(range)
                } else {
                    range.rows
                };
                let (from, to) = share(units);
                cycles += self.hierarchy.touch(worker, range, from, to);
            }
            let part = at.part;
            if self.part_misses.len() <= part {
                self.part_misses.resize(part + 1, 0);
            }
            self.part_misses[part] += self.hierarchy.outer_misses() - missed_before;
        }
        let (step, burst) = if burst + 1 < bursts {
            (step, burst + 1)
        } else {
            (step + 1, 0)
        };
        at.state = State::Running {
            slot,
            since,
            step,
            burst,
            stolen,
        };
        Some(self.hierarchy.settle(now, cycles))
    }

    /// The callbacks at the end of a strand.
    fn finish(
        &mut self,
        scheduler: &mut dyn Scheduler,
        now: u64,
        worker: usize,
        slot: u32,
        since: u64,
        stolen: bool,
    ) {
        let ready = self.jobs.remove(slot).expect("it ran");
        self.running_jobs -= 1;
        let at = &mut self.workers[worker];
        at.times.active += now - since;
        at.state = State::Asking;
        let children = core::mem::take(&mut at.script.children);
        let continuation = at.script.continuation.take();
        let id = WorkerId(worker);
        let path = ready.path_cycles + (now - since);
        let joins = children.is_empty() || continuation.is_none();
        if self.options.record {
            self.timeline.push(Segment {
                worker: id,
                from_cycles: since,
                to_cycles: now,
                task_bytes: ready.job.task_bytes,
                first_byte: self.workers[worker]
                    .script
                    .ranges
                    .first()
                    .map(|range| range.start),
                stolen,
                forked: !joins,
            });
        }

        self.events += 1;
        self.workers[worker].times.done += self.costs.done;
        scheduler.done(&ready.job, id, joins);
        self.wake(now, false);
        if joins {
            self.tasks
                .remove(u32::try_from(ready.job.task.0).expect("tasks are numbered in 32 bits"));
            self.join(scheduler, now, id, ready.frame, path);
            return;
        }
        let frame = Frame {
            left: children.len(),
            continuation: continuation.expect("a fork continues"),
            task: ready.job.task,
            parent_task: ready.job.parent,
            frame: ready.frame,
            path_cycles: path,
        };
        let frame = self.frames.insert(frame).0;
        for child in children {
            let task = TaskId(self.tasks.insert(()).0 as usize);
            let name = (task, Some(ready.job.task), true);
            self.add(scheduler, id, child, name, Some(frame), path, now);
        }
    }

    fn join(
        &mut self,
        scheduler: &mut dyn Scheduler,
        now: u64,
        worker: WorkerId,
        frame: Option<u32>,
        path: u64,
    ) {
        let Some(slot) = frame else {
            self.finished = Some((now + self.costs.done, path));
            return;
        };
        let frame = self.frames.get_mut(slot).expect("a child keeps its frame");
        frame.left -= 1;
        frame.path_cycles = frame.path_cycles.max(path);
        if frame.left == 0 {
            let frame = self.frames.remove(slot).expect("it is there");
            let name = (frame.task, frame.parent_task, false);
            let path = frame.path_cycles;
            self.add(
                scheduler,
                worker,
                frame.continuation,
                name,
                frame.frame,
                path,
                now,
            );
        }
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "a job is all of this, and it is built only here"
    )]
    fn add(
        &mut self,
        scheduler: &mut dyn Scheduler,
        worker: WorkerId,
        strand: P::Strand,
        (task, parent, starts_task): (TaskId, Option<TaskId>, bool),
        frame: Option<u32>,
        path_cycles: u64,
        now: u64,
    ) {
        let size = self.program.size(&strand);
        self.events += 1;
        let placeholder = JobId {
            slot: 0,
            generation: 0,
        };
        let job = Job {
            id: placeholder,
            task,
            parent,
            starts_task,
            task_bytes: size.task_bytes,
            strand_bytes: size.strand_bytes,
        };
        let added_at_event = self.events;
        let (slot, generation) = self.jobs.insert(Ready {
            job,
            strand,
            frame,
            path_cycles,
            added_at_event,
            running: false,
        });
        let ready = self.jobs.get_mut(slot).expect("just added");
        ready.job.id = JobId { slot, generation };
        let job = ready.job;
        self.waiting_jobs += 1;
        self.workers[worker.0].times.add += self.costs.add;
        scheduler.add(&job, worker);
        self.wake(now, true);
    }

    /// When a worker that has just ended a strand asks again: after the callbacks of this strand.
    fn after_callbacks(&mut self, now: u64, worker: usize) -> u64 {
        let times = &self.workers[worker].times;
        let spent = times.add + times.done + times.get + times.active + times.empty_queue;
        // Time accounts are complete at every moment a worker asks, so their sum is the time.
        spent.max(now)
    }

    fn error(&self, now: u64, fault: Fault) -> ScheduleError {
        ScheduleError {
            event: self.events,
            at_cycles: now,
            fault,
        }
    }

    fn fault_about_waiting(&self, now: u64, lost: bool) -> ScheduleError {
        let waiting = self.jobs.iter().filter(|ready| !ready.running);
        let oldest = waiting
            .min_by_key(|ready| ready.added_at_event)
            .expect("the program is not over");
        let (job, added_at_event) = (oldest.job.id, oldest.added_at_event);
        let waiting = self.waiting_jobs;
        let now = self
            .workers
            .iter()
            .map(|w| {
                if let State::Waiting { since, .. } = w.state {
                    since
                } else {
                    now
                }
            })
            .max()
            .unwrap_or(now);
        let fault = if lost {
            Fault::Lost {
                job,
                waiting,
                added_at_event,
            }
        } else {
            Fault::Stuck {
                job,
                waiting,
                added_at_event,
            }
        };
        self.error(now, fault)
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
            invalidations: self.hierarchy.invalidations(),
            workers: self.workers.iter().map(|worker| worker.times).collect(),
            strands: self.strands,
            events: self.events,
            understated_tasks: self.understated_tasks,
            first_understated: self.first_understated,
            timeline: core::mem::take(&mut self.timeline),
        }
    }
}

#[cfg(test)]
mod tests;
