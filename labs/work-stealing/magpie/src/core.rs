//! What the workers of a pool share.

use std::ptr::NonNull;
use std::sync::atomic::AtomicBool;

use crate::error::PoolError;
use crate::idle::{For, Idle};
use crate::injector::Injector;
use crate::job::Header;
use crate::sync::{Ordering, fence};
use crate::worker::Worker;

/// The shared part of a pool, kept alive by each of its threads and by the [`Pool`](crate::Pool).
pub(crate) struct Core {
    workers: Box<[Worker]>,
    pub(crate) injector: Injector,
    pub(crate) idle: Idle,
    closing: AtomicBool,
}

#[expect(
    unsafe_code,
    reason = "a worker is neither Send nor Sync, but parts of it are shared"
)]
// SAFETY: other threads reach a worker only through this crate, which calls nothing on a foreign
// worker but the deque's functions for anyone, `serves`, `looks_stealable`, `unpark` and `index`.
// None of these touches a `Cell`. A `&Worker` is given to users on its own thread only.
unsafe impl Sync for Core {}

#[expect(unsafe_code, reason = "as for Sync")]
// SAFETY: as for `Sync`; the last owner drops workers that no thread runs any more.
unsafe impl Send for Core {}

impl Core {
    pub(crate) fn new(workers: usize) -> Result<Self, PoolError> {
        let mut seats = Vec::new();
        seats
            .try_reserve_exact(workers)
            .map_err(|_| PoolError::OutOfMemory {
                workers,
                size_bytes: workers.saturating_mul(size_of::<Worker>()),
            })?;
        seats.extend((0..workers).map(Worker::new));
        Ok(Self {
            workers: seats.into_boxed_slice(),
            injector: Injector::new(),
            idle: Idle::new(),
            closing: AtomicBool::new(false),
        })
    }

    pub(crate) fn workers(&self) -> &[Worker] {
        &self.workers
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }

    /// Tells the workers to end once nothing is waiting any more.
    pub(crate) fn close(&self) {
        self.closing.store(true, Ordering::Relaxed);
        // Pairs with the fence in `Idle::fall_asleep`.
        fence(Ordering::SeqCst);
        for worker in &self.workers {
            worker.unpark();
        }
    }

    /// Hands a job to the pool from outside.
    pub(crate) fn inject(&self, job: NonNull<Header>) {
        self.injector.push(job);
        // Pairs with the fence in `Idle::fall_asleep`.
        fence(Ordering::SeqCst);
        let picked = self
            .idle
            .pick(|wants| matches!(wants, For::Anything | For::Injected));
        if let Some(worker) = picked {
            self.wake(worker);
        }
    }

    pub(crate) fn wake(&self, worker: usize) {
        self.workers[worker].unpark();
    }

    pub(crate) fn wake_one_for_anything(&self) {
        if let Some(worker) = self.idle.pick(|wants| wants == For::Anything) {
            self.wake(worker);
        }
    }

    /// Whether a worker that looked now would probably find something.
    pub(crate) fn has_visible_work(&self) -> bool {
        !self.injector.is_empty() || self.workers.iter().any(Worker::looks_stealable)
    }
}
