//! The queue through which work enters a pool from outside.

use std::collections::VecDeque;
use std::ptr::NonNull;
use std::sync::PoisonError;

use crate::job::Header;
use crate::sync::{AtomicUsize, Mutex, MutexGuard, Ordering};

/// First in, first out, behind a lock: entering a pool is rare next to forking inside it.
pub(crate) struct Injector {
    /// Length of `queue`, so that workers who find nothing need not take the lock.
    waiting: AtomicUsize,
    queue: Mutex<VecDeque<Entry>>,
}

struct Entry(NonNull<Header>);

#[expect(unsafe_code, reason = "a raw pointer is not Send by default")]
// SAFETY: a job is made to be run by another thread; its makers require `Send` closures.
unsafe impl Send for Entry {}

impl Injector {
    pub(crate) fn new() -> Self {
        Self {
            waiting: AtomicUsize::new(0),
            queue: Mutex::new(VecDeque::new()),
        }
    }

    fn queue(&self) -> MutexGuard<'_, VecDeque<Entry>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn push(&self, job: NonNull<Header>) {
        let mut queue = self.queue();
        queue.push_back(Entry(job));
        self.waiting.store(queue.len(), Ordering::Relaxed);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.load(Ordering::Relaxed) == 0
    }

    pub(crate) fn pop(&self) -> Option<NonNull<Header>> {
        if self.is_empty() {
            return None;
        }
        let mut queue = self.queue();
        let job = queue.pop_front();
        self.waiting.store(queue.len(), Ordering::Relaxed);
        job.map(|Entry(job)| job)
    }
}
