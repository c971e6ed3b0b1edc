//! A task that was handed to a pool without waiting for it.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::NonNull;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};

use crate::job::{Header, HeapJob, Payload};
use crate::pool::block_until;
use crate::worker::Worker;

/// A task on its way; see [`Pool::spawn`](crate::Pool::spawn). Dropping it lets the task run on.
#[must_use = "a panic of the task is noticed only by whoever waits for it"]
pub struct Task<R> {
    state: Arc<Mutex<State<R>>>,
}

struct State<R> {
    result: Option<Result<R, Payload>>,
    waiter: Option<Thread>,
}

fn lock<R>(state: &Mutex<State<R>>) -> MutexGuard<'_, State<R>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<R: Send + 'static> Task<R> {
    pub(crate) fn new<F>(f: F) -> (NonNull<Header>, Self)
    where
        F: FnOnce(&Worker) -> R + Send + 'static,
    {
        let state = Arc::new(Mutex::new(State {
            result: None,
            waiter: None,
        }));
        let theirs = Arc::clone(&state);
        let job = HeapJob::into_header(move |worker: &Worker, _: usize| {
            let run = || {
                let result = catch_unwind(AssertUnwindSafe(|| f(worker)));
                let mut state = lock(&theirs);
                state.result = Some(result);
                if let Some(waiter) = state.waiter.take() {
                    waiter.unpark();
                }
            };
            // Nobody helps a detached task: it has no latch to go by.
            worker.serve(std::ptr::null(), run, || false);
        });
        (job, Self { state })
    }

    /// Whether the task has ended.
    #[must_use]
    pub fn is_done(&self) -> bool {
        lock(&self.state).result.is_some()
    }

    /// Blocks until the task has ended and returns its result. A worker that waits runs other
    /// work injected into its pool meanwhile.
    ///
    /// # Panics
    /// With the task's panic.
    pub fn wait(self) -> R {
        let mut result = None;
        Worker::with_current(|current| {
            let taken = std::cell::RefCell::new(&mut result);
            block_until(current, || {
                let mut state = lock(&self.state);
                **taken.borrow_mut() = state.result.take();
                state.waiter = Some(thread::current());
                taken.borrow().is_some()
            });
        });
        match result.expect("waited until the task had ended: the result is there") {
            Ok(result) => result,
            Err(payload) => resume_unwind(payload),
        }
    }
}
