//! A worker with a strand: its bursts, the callbacks at its end, and the joins and forks behind it.

use super::{Frame, Ready, Simulation, State};
use crate::scheduler::outcome::Segment;
use crate::scheduler::policy::{Job, JobId, Scheduler, TaskId, WorkerId};
use crate::scheduler::program::Program;

impl<P: Program> Simulation<'_, P> {
    /// Runs one burst, or ends the strand.
    pub(super) fn advance(
        &mut self,
        scheduler: &mut dyn Scheduler,
        now: u64,
        worker: usize,
    ) -> Option<u64> {
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
            let touched_before = self.hierarchy.touches();
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
                self.part_touches.resize(part + 1, 0);
            }
            self.part_misses[part] += self.hierarchy.outer_misses() - missed_before;
            self.part_touches[part] += self.hierarchy.touches() - touched_before;
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
        scheduler.done(&ready.job, id, joins);
        let done = self.costs.done + scheduler.delay(id, now);
        self.workers[worker].times.done += done;
        self.wake(now, false);
        if joins {
            self.tasks
                .remove(u32::try_from(ready.job.task.0).expect("tasks are numbered in 32 bits"));
            self.join(scheduler, now, done, id, ready.frame, path);
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
        done: u64,
        worker: WorkerId,
        frame: Option<u32>,
        path: u64,
    ) {
        let Some(slot) = frame else {
            self.finished = Some((now + done, path));
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
    pub(super) fn add(
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
        scheduler.add(&job, worker);
        let began = self.after_callbacks(now, worker.0);
        self.workers[worker.0].times.add += self.costs.add + scheduler.delay(worker, began);
        self.wake(now, true);
    }

    /// When a worker that has just ended a strand asks again: after the callbacks of this strand.
    pub(super) fn after_callbacks(&mut self, now: u64, worker: usize) -> u64 {
        let times = &self.workers[worker].times;
        let spent = times.add + times.done + times.get + times.active + times.empty_queue;
        // Time accounts are complete at every moment a worker asks, so their sum is the time.
        spent.max(now)
    }
}
