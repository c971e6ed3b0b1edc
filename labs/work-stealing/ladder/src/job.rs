//! A spawned call of fib.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering};

/// A call that somebody may run, and where its result goes.
pub(crate) struct Job {
    /// The argument. Written before the job is pushed.
    pub(crate) n: u64,
    /// One more than the result; 0 as long as there is none.
    result: AtomicU64,
}

/// A job that has been pushed. Alive until its spawner has seen the result or taken it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JobRef(NonNull<Job>);

#[expect(unsafe_code, reason = "a raw pointer is not Send by default")]
// SAFETY: what a job is for is to be run by another thread; its fields are shared accordingly.
unsafe impl Send for JobRef {}

impl Job {
    pub(crate) fn new(n: u64) -> Self {
        Self {
            n,
            result: AtomicU64::new(0),
        }
    }

    pub(crate) fn finish(&self, result: u64) {
        // Release: pairs with `result`. The spawner may free the job right after.
        self.result.store(result + 1, Ordering::Release);
    }

    pub(crate) fn result(&self) -> Option<u64> {
        self.result.load(Ordering::Acquire).checked_sub(1)
    }
}

impl JobRef {
    pub(crate) fn new(job: NonNull<Job>) -> Self {
        Self(job)
    }

    pub(crate) fn as_ptr(self) -> *mut Job {
        self.0.as_ptr()
    }

    #[expect(unsafe_code, reason = "a job lives in its spawner's frame")]
    pub(crate) fn get<'a>(self) -> &'a Job {
        // SAFETY: whoever holds the reference was handed it by a queue or has spawned it, and the
        // spawner waits for the result before it frees the frame.
        unsafe { self.0.as_ref() }
    }
}
