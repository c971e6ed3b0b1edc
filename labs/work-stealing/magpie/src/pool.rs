//! A pool of workers, and how work gets into it from outside.

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};

use crate::core::Core;
use crate::error::PoolError;
use crate::job::RootJob;
use crate::task::Task;
use crate::worker::Worker;

/// More threads than the largest machines have; a larger number is a slip.
const MOST_WORKERS: usize = 8192;

/// Twice what a main thread usually gets: a recursion that runs on a main thread runs here too.
const STACK_BYTES: usize = 16 << 20;

/// A pool of worker threads.
///
/// Dropping it runs what was [spawned](Self::spawn) before, then ends the threads. A pool that is
/// dropped by one of its own workers does not wait for them.
///
/// ```
/// let pool = magpie::Pool::new(2)?;
/// let (a, b) = pool.run(|worker| worker.join(|_| 6 * 7, |_| "seven"));
/// assert_eq!((a, b), (42, "seven"));
/// # Ok::<(), magpie::PoolError>(())
/// ```
pub struct Pool {
    core: Arc<Core>,
    threads: Vec<JoinHandle<()>>,
}

/// How a pool is to be built.
#[derive(Clone, Debug)]
#[must_use = "a builder starts nothing until `build`"]
pub struct PoolBuilder {
    workers: usize,
    stack_bytes: usize,
}

impl PoolBuilder {
    /// The number of workers; by default one per available core.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = workers;
        self
    }

    /// The stack of each worker in bytes; by default 16 MiB. Only what is used costs memory.
    pub fn stack_bytes(mut self, stack_bytes: usize) -> Self {
        self.stack_bytes = stack_bytes;
        self
    }

    /// Starts the workers.
    ///
    /// # Errors
    /// [`PoolError`], if there are none or too many, or if memory or threads run out. Workers
    /// that were started already are ended before it returns.
    pub fn build(self) -> Result<Pool, PoolError> {
        let asked = self.workers;
        if asked == 0 {
            return Err(PoolError::NoWorkers);
        }
        if asked > MOST_WORKERS {
            return Err(PoolError::TooManyWorkers {
                asked,
                most: MOST_WORKERS,
            });
        }
        let core = Arc::new(Core::new(asked)?);
        // Dropped on the way out by an error: this ends the threads that were started.
        let mut pool = Pool {
            core,
            threads: Vec::with_capacity(asked),
        };
        for index in 0..asked {
            let core = Arc::clone(&pool.core);
            let thread = thread::Builder::new()
                .name(format!("magpie-{index}"))
                .stack_size(self.stack_bytes)
                .spawn(move || core.workers()[index].main(&core))
                .map_err(|source| PoolError::Spawn {
                    asked,
                    started: index,
                    source,
                })?;
            pool.threads.push(thread);
        }
        Ok(pool)
    }
}

impl Pool {
    /// A pool of `workers` workers.
    ///
    /// # Errors
    /// As [`PoolBuilder::build`].
    pub fn new(workers: usize) -> Result<Self, PoolError> {
        Self::builder().workers(workers).build()
    }

    /// A builder, for more choices.
    pub fn builder() -> PoolBuilder {
        let workers = thread::available_parallelism().map_or(1, NonZero::get);
        PoolBuilder {
            workers,
            stack_bytes: STACK_BYTES,
        }
    }

    /// The pool that [`join`](crate::join) and [`scope`](crate::scope) use outside any pool. It
    /// has a worker per available core, starts at the first call, and lives until the program ends.
    ///
    /// # Panics
    /// If it cannot be started.
    pub fn global() -> &'static Self {
        static GLOBAL: OnceLock<Pool> = OnceLock::new();
        GLOBAL.get_or_init(|| match Self::builder().build() {
            Ok(pool) => pool,
            Err(error) => panic!("the global pool did not start: {error}"),
        })
    }

    /// How many workers it has.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.core.workers().len()
    }

    /// Runs `f` on a worker of this pool and returns its result.
    ///
    /// Called by one of the pool's own workers, it runs `f` right there. Called by a worker of
    /// another pool, that worker serves its own pool's injected work while it waits, so that two
    /// pools may call each other.
    ///
    /// # Panics
    /// With the panic of `f`.
    pub fn run<F, R>(&self, f: F) -> R
    where
        F: FnOnce(&Worker) -> R + Send,
        R: Send,
    {
        Worker::with_current(|current| match current {
            Some(worker) if std::ptr::eq(worker.core(), &raw const *self.core) => f(worker),
            elsewhere => self.run_injected(elsewhere, f),
        })
    }

    #[expect(unsafe_code, reason = "the job lives in this frame")]
    fn run_injected<F, R>(&self, waiter: Option<&Worker>, f: F) -> R
    where
        F: FnOnce(&Worker) -> R + Send,
        R: Send,
    {
        let root = RootJob::new(f);
        self.core.inject(root.as_header());
        block_until(waiter, || root.job.latch().is_set());
        // SAFETY: the latch is set, and this is the only read.
        match unsafe { root.job.take_result() } {
            Ok(result) => result,
            Err(payload) => resume_unwind(payload),
        }
    }

    /// Hands `f` to the pool and does not wait for it. A panic of `f` is kept for whoever
    /// [waits](Task::wait) for the task.
    pub fn spawn<F, R>(&self, f: F) -> Task<R>
    where
        F: FnOnce(&Worker) -> R + Send + 'static,
        R: Send + 'static,
    {
        let (job, task) = Task::new(f);
        self.core.inject(job);
        task
    }
}

/// Blocks this thread until `done`; whoever makes it true unparks the thread.
pub(crate) fn block_until(waiter: Option<&Worker>, done: impl Fn() -> bool) {
    match waiter {
        Some(worker) => worker.wait_outside(done),
        None => {
            while !done() {
                thread::park();
            }
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.core.close();
        let own = thread::current().id();
        if self
            .threads
            .iter()
            .any(|thread| thread.thread().id() == own)
        {
            return; // Waiting for ourselves would never end. The threads keep the core alive.
        }
        for thread in self.threads.drain(..) {
            // A worker's own code does not panic, and what it runs is caught.
            let ended = thread.join();
            debug_assert!(ended.is_ok(), "a worker panicked outside any task");
        }
    }
}
