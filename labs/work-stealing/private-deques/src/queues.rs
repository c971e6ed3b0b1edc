//! The queues that workers share, each behind a lock of its own.

use std::collections::VecDeque;
use std::ops::{Deref, DerefMut};

use models::scheduler::{JobId, LockUse};

/// More than a queue per worker and pair of workers; a larger number is a slip.
const MOST_QUEUES: usize = 8192;

/// All queues: as many as are used, numbered from 0, empty at first.
#[derive(Debug, Default)]
pub struct Queues {
    queues: Vec<VecDeque<JobId>>,
    /// What the running callback has locked so far.
    uses: Vec<LockUse>,
}

/// A locked queue, which gets unlocked when this goes out of scope.
///
/// It borrows all queues, so that nobody can hold two locks and wait for the second.
#[derive(Debug)]
pub struct Locked<'q> {
    jobs: &'q mut VecDeque<JobId>,
    uses: &'q mut Vec<LockUse>,
    lock: usize,
    /// Jobs in the queue when it was locked.
    before: usize,
}

impl Queues {
    /// Waits until the queue with this number is free, and locks it.
    ///
    /// # Panics
    ///
    /// If the number is 8192 or more.
    pub fn lock(&mut self, queue: usize) -> Locked<'_> {
        assert!(
            queue < MOST_QUEUES,
            "queue {queue} was to be locked; the last one is {}",
            MOST_QUEUES - 1
        );
        if self.queues.len() <= queue {
            self.queues.resize_with(queue + 1, VecDeque::new);
        }
        let jobs = &mut self.queues[queue];
        let before = jobs.len();
        Locked {
            jobs,
            uses: &mut self.uses,
            lock: queue,
            before,
        }
    }

    /// The locks taken since the last call, in order.
    pub(crate) fn take_uses(&mut self) -> Vec<LockUse> {
        std::mem::take(&mut self.uses)
    }
}

impl Deref for Locked<'_> {
    type Target = VecDeque<JobId>;

    fn deref(&self) -> &VecDeque<JobId> {
        self.jobs
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut VecDeque<JobId> {
        self.jobs
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        self.uses.push(LockUse {
            lock: self.lock,
            items: self.jobs.len().abs_diff(self.before) as u64,
        });
    }
}
