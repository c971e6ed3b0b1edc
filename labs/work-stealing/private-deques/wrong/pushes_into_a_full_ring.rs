//! A deque of eight slots: what is pushed into a full one is gone.

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
        let mut deque = queues.lock(self.seat.worker);
        if deque.len() < 8 {
            deque.push_back(job);
        }
    }

    fn next(&mut self, queues: &mut Queues) -> Option<JobId> {
        if let Some(job) = queues.lock(self.seat.worker).pop_back() {
            return Some(job);
        }
        let victim = usize::try_from(self.prng.below(self.seat.workers as u64)).expect("a worker");
        queues.lock(victim).pop_front()
    }
}
