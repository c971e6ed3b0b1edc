//! Draws its victim from 1 on, and the first job of all is with worker 0: nobody else ever works.

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
        let others = (self.seat.workers as u64).checked_sub(1).filter(|&others| others > 0)?;
        let victim = 1 + usize::try_from(self.prng.below(others)).expect("a worker");
        queues.lock(victim).pop_front()
    }
}
