//! A deque per worker, behind a lock each.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::job::JobRef;
use crate::place::Place;
use crate::runtime::{Queues, victim};

/// The owner at the back, thieves at the front, where the largest calls are.
pub(crate) type Deque = Mutex<VecDeque<JobRef>>;

/// All deques in one vector.
pub(crate) struct LockedDeques<P>(Vec<P>);

impl<P: Place<Deque>> LockedDeques<P> {
    fn lock(&self, worker: usize) -> MutexGuard<'_, VecDeque<JobRef>> {
        self.0[worker]
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl<P: Place<Deque>> Queues for LockedDeques<P> {
    fn new(workers: usize) -> Self {
        Self((0..workers).map(|_| Deque::default().into()).collect())
    }

    fn push(&self, me: usize, job: JobRef) {
        self.lock(me).push_back(job);
    }

    fn take_back(&self, me: usize, _job: JobRef) -> bool {
        // Whatever was pushed after it has been taken back or stolen, so it is the last or gone.
        self.lock(me).pop_back().is_some()
    }

    fn steal(&self, me: usize, random: u64) -> Option<JobRef> {
        self.lock(victim(me, self.0.len(), random)?).pop_front()
    }
}
