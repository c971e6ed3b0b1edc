//! A worker without a strand: it asks the scheduler for one, waits, or starts one.

use alloc::format;
use core::cmp::Reverse;

use super::{Simulation, State, Wake};
use crate::scheduler::error::{Fault, ScheduleError};
use crate::scheduler::outcome::Understated;
use crate::scheduler::policy::{JobId, Next, Scheduler, WorkerId};
use crate::scheduler::program::Program;
use crate::scheduler::touched::touched_bytes;

/// Attempts in a row, per worker, after which a scheduler that only says `Retry` is stuck. A random
/// thief that looks for the one job among 1000 workers fails this often with probability e^-20.
const PATIENCE_PER_WORKER: u64 = 20_000;

impl<P: Program> Simulation<'_, P> {
    pub(super) fn ask(
        &mut self,
        scheduler: &mut dyn Scheduler,
        now: u64,
        worker: usize,
    ) -> Result<Option<u64>, ScheduleError> {
        self.workers[worker].state = State::Asking;
        self.events += 1;
        let id = WorkerId(worker);
        let next = scheduler.get(id);
        let delay = scheduler.delay(id, now);
        match next {
            Next::Run(job) => self
                .start(now, worker, job, self.costs.get + delay, false)
                .map(Some),
            Next::Steal { victim, job } => {
                if victim.0 >= self.workers.len() {
                    return Err(self.error(now, Fault::NoSuchVictim { worker: id, victim }));
                }
                let cost = self.costs.get + self.costs.steal + delay;
                self.start(now, worker, job, cost, true).map(Some)
            }
            Next::Retry => {
                self.count_failure(worker);
                let attempt = self.costs.failed_get + delay;
                self.workers[worker].times.empty_queue += attempt;
                let patience = PATIENCE_PER_WORKER * self.workers.len() as u64;
                if self.running_jobs == 0 && self.failed_in_a_row > patience {
                    return Err(self.fault_about_waiting(now, false));
                }
                Ok(Some(now + attempt))
            }
            Next::Idle => Ok(self.wait(now, delay, worker, Wake::Add)),
            Next::Blocked => Ok(self.wait(now, delay, worker, Wake::AddOrDone)),
        }
    }

    fn count_failure(&mut self, worker: usize) {
        self.failed_in_a_row += 1;
        if self.waiting_jobs > 0 {
            self.workers[worker].times.failed_while_jobs_waited += 1;
        }
    }

    /// Waits, once the attempt that found nothing is over.
    fn wait(&mut self, now: u64, delay: u64, worker: usize, until: Wake) -> Option<u64> {
        self.count_failure(worker);
        self.workers[worker].times.empty_queue += delay;
        let since = now + delay;
        self.workers[worker].state = State::Waiting { since, until };
        self.waiting_workers += 1;
        None
    }

    /// Puts workers that wait for this kind of change back on the agenda.
    pub(super) fn wake(&mut self, now: u64, added: bool) {
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
            self.first_understated.get_or_insert_with(|| Understated {
                strand: format!("{:?}", ready.strand),
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
}
