//! Drops a job when its deque is long, as a fixed ring without a check would.

use std::collections::VecDeque;

use models::scheduler::{Job, JobId, Machine, Next, Prng, Scheduler, WorkerId};

/// A scheduler for `machine`; it may use the seed for whatever it draws.
pub(crate) fn make(machine: &Machine, seed: u64) -> Box<dyn Scheduler> {
    Box::new(RandomStealing {
        deques: vec![VecDeque::new(); machine.workers()],
        queued: 0,
        prng: Prng::new(seed),
    })
}

/// A deque per worker; a worker without work looks into the deque of a random victim.
struct RandomStealing {
    deques: Vec<VecDeque<JobId>>,
    queued: usize,
    prng: Prng,
}

impl Scheduler for RandomStealing {
    fn add(&mut self, job: &Job, worker: WorkerId) {
        if self.deques[worker.0].len() < 8 {
            self.deques[worker.0].push_back(job.id);
            self.queued += 1;
        }
    }

    fn get(&mut self, worker: WorkerId) -> Next {
        if self.queued == 0 {
            return Next::Idle;
        }
        if let Some(job) = self.deques[worker.0].pop_back() {
            self.queued -= 1;
            return Next::Run(job);
        }
        let victim = usize::try_from(self.prng.below(self.deques.len() as u64)).expect("a worker");
        match self.deques[victim].pop_front() {
            Some(job) => {
                self.queued -= 1;
                Next::Steal { victim: WorkerId(victim), job }
            }
            None => Next::Retry,
        }
    }

    fn done(&mut self, _job: &Job, _worker: WorkerId, _task_ended: bool) {}
}
