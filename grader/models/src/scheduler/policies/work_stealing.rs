//! Work stealing: a deque per worker, its owner at the young end, thieves at the old one.
//!
//! One attempt per `get`: own deque first, then one victim. Uniform victims are the paper's WS;
//! victims weighted by distance are its PWS.

use alloc::collections::VecDeque;
use alloc::vec;
use alloc::vec::Vec;

use crate::scheduler::machine::Machine;
use crate::scheduler::policy::{Job, JobId, Next, Scheduler, WorkerId};
use crate::scheduler::prng::Prng;

/// How likely a thief is to pick each victim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VictimWeights {
    /// Workers of one socket: neighbours in the numbering.
    pub socket_workers: usize,
    /// Weight of a victim in the thief's own socket.
    pub near: u64,
    /// Weight of any other victim.
    pub far: u64,
}

impl VictimWeights {
    /// Every victim alike.
    pub fn uniform(workers: usize) -> Self {
        Self {
            socket_workers: workers,
            near: 1,
            far: 1,
        }
    }

    /// Victims under the same outermost cache ten times as likely as others.
    ///
    /// Source: Simhadri et al., TOPC 2016, section 4 (priority work stealing).
    pub fn socket_first(machine: &Machine) -> Self {
        let socket_workers = if machine.levels.is_empty() {
            machine.workers()
        } else {
            machine.workers_under(0)
        };
        Self {
            socket_workers,
            near: 10,
            far: 1,
        }
    }
}

/// A work-stealing scheduler.
#[derive(Clone, Debug)]
pub struct WorkStealing {
    deques: Vec<VecDeque<JobId>>,
    queued: usize,
    weights: VictimWeights,
    prng: Prng,
}

impl WorkStealing {
    /// WS: uniformly random victims.
    pub fn new(workers: usize, seed: u64) -> Self {
        Self::with_weights(workers, seed, VictimWeights::uniform(workers))
    }

    /// Work stealing with chosen weights.
    pub fn with_weights(workers: usize, seed: u64, weights: VictimWeights) -> Self {
        Self {
            deques: vec![VecDeque::new(); workers],
            queued: 0,
            weights,
            prng: Prng::new(seed),
        }
    }

    fn victim(&mut self, thief: usize) -> usize {
        let VictimWeights {
            socket_workers,
            near,
            far,
        } = self.weights;
        let workers = self.deques.len();
        let socket = thief / socket_workers * socket_workers;
        let inside = socket_workers.min(workers - socket);
        let (near_total, far_total) = (near * inside as u64, far * (workers - inside) as u64);
        let drawn = self.prng.below(near_total + far_total);
        let place = |drawn: u64, weight: u64| {
            usize::try_from(drawn / weight).expect("an index of a worker")
        };
        if drawn < near_total {
            return socket + place(drawn, near);
        }
        let outside = place(drawn - near_total, far);
        if outside < socket {
            outside
        } else {
            outside + inside
        }
    }
}

impl Scheduler for WorkStealing {
    fn add(&mut self, job: &Job, worker: WorkerId) {
        self.deques[worker.0].push_back(job.id);
        self.queued += 1;
    }

    fn get(&mut self, worker: WorkerId) -> Next {
        if let Some(job) = self.deques[worker.0].pop_back() {
            self.queued -= 1;
            return Next::Run(job);
        }
        if self.queued == 0 {
            // Every victim's deque is empty: the attempts until the next `add` all fail.
            return Next::Idle;
        }
        let victim = self.victim(worker.0);
        match self.deques[victim].pop_front() {
            Some(job) => {
                self.queued -= 1;
                Next::Steal {
                    victim: WorkerId(victim),
                    job,
                }
            }
            None => Next::Retry,
        }
    }

    fn done(&mut self, _job: &Job, _worker: WorkerId, _task_ended: bool) {}
}

#[cfg(test)]
mod tests {
    use super::{VictimWeights, WorkStealing};

    #[test]
    fn near_victims_are_ten_times_as_likely() {
        let weights = VictimWeights {
            socket_workers: 4,
            near: 10,
            far: 1,
        };
        let mut ws = WorkStealing::with_weights(12, 3, weights);
        let mut drawn = [0_u32; 12];
        for _ in 0..48_000 {
            drawn[ws.victim(5)] += 1;
        }
        for (victim, &times) in drawn.iter().enumerate() {
            let expected = if (4..8).contains(&victim) {
                10_000
            } else {
                1000
            };
            assert!(
                times.abs_diff(expected) < expected / 8,
                "victim {victim}: {times}"
            );
        }
    }
}
