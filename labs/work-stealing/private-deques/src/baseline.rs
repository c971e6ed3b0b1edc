//! The slow version: frozen, since every score is measured against it.

use crate::{JobId, Policy, Queues, Seat};

// ANCHOR: policy
/// The part of the policy that one worker plays.
pub(crate) fn policy(_seat: Seat) -> Box<dyn Policy> {
    Box::new(OneQueue)
}

/// One queue for all, behind one lock.
struct OneQueue;

impl Policy for OneQueue {
    fn push(&mut self, job: JobId, queues: &mut Queues) {
        queues.lock(0).push_back(job);
    }

    fn next(&mut self, queues: &mut Queues) -> Option<JobId> {
        // The youngest: the queue then grows with the program's depth and not its width.
        queues.lock(0).pop_back()
    }
}
// ANCHOR_END: policy
