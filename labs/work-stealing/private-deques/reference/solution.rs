//! A deque per worker: its owner at the young end, thieves at the old one.

use crate::{JobId, Policy, Prng, Queues, Seat};

// ANCHOR: policy
/// The part of the policy that one worker plays.
pub(crate) fn policy(seat: Seat) -> Box<dyn Policy> {
    Box::new(Stealing {
        seat,
        prng: Prng::new(seat.seed),
    })
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
        let Seat {
            worker, workers, ..
        } = self.seat;
        if let Some(job) = queues.lock(worker).pop_back() {
            return Some(job);
        }
        let others = workers as u64 - 1;
        if others == 0 {
            return None;
        }
        // One to `others` places further on: anybody but oneself.
        let steps = 1 + usize::try_from(self.prng.below(others)).expect("a number of workers");
        queues.lock((worker + steps) % workers).pop_front()
    }
}
// ANCHOR_END: policy
