//! Steals half of a deque at once, runs the first job, and keeps none of the others.

use crate::{JobId, Policy, Prng, Queues, Seat};

pub(crate) fn policy(seat: Seat) -> Box<dyn Policy> {
    let prng = Prng::new(seat.seed);
    Box::new(Stealing { seat, prng })
}

struct Stealing {
    seat: Seat,
    prng: Prng,
}

impl Policy for Stealing {
    fn push(&mut self, job: JobId, queues: &mut Queues) {
        queues.lock(self.seat.worker).push_back(job);
    }

    fn next(&mut self, queues: &mut Queues) -> Option<JobId> {
        if let Some(job) = queues.lock(self.seat.worker).pop_back() {
            return Some(job);
        }
        let victim = usize::try_from(self.prng.below(self.seat.workers as u64)).expect("a worker");
        let mut deque = queues.lock(victim);
        let half = deque.len().div_ceil(2);
        let loot: Vec<JobId> = deque.drain(..half).collect();
        loot.first().copied()
    }
}
