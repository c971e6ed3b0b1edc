//! Spawn and sync: any number of tasks that may borrow from the caller.

use std::cell::Cell;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use crate::job::{HeapJob, Payload};
use crate::latch::Latch;
use crate::parcel::Parcel;
use crate::sync::{AtomicUsize, Ordering};
use crate::worker::Worker;

/// A set of tasks that end before the scope does, as in Cilk: the function that opens it spawns,
/// and syncs when it needs what the tasks have written; a task opens a scope of its own.
///
/// ```
/// let pool = magpie::Pool::new(2)?;
/// let (mut low, mut high) = ([3, 1, 2], [6, 5, 4]);
/// pool.run(|worker| {
///     worker.scope(|scope| {
///         scope.spawn(|_| low.sort());
///         scope.spawn(|_| high.sort());
///     })
/// });
/// assert_eq!((low, high), ([1, 2, 3], [4, 5, 6]));
/// # Ok::<(), magpie::PoolError>(())
/// ```
pub struct Scope<'scope, 'env: 'scope> {
    worker: &'scope Worker,
    shared: Shared,
    /// Invariant in both, as for `std::thread::scope`: neither may be shortened to smuggle a borrow.
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

/// What a scope's tasks touch.
struct Shared {
    /// Tasks on the deque that have not been taken back. Some of them may be stolen already.
    /// Only the scope's own worker looks here.
    on_deque: Cell<usize>,
    /// Stolen tasks that have not ended, once the owner has added their number in `sync`; before,
    /// zero minus those that have ended.
    stolen: AtomicUsize,
    /// Set by the thief that brings `stolen` to zero after the owner has added to it.
    latch: Cell<Latch>,
    /// The first panic.
    panic: Mutex<Option<Payload>>,
}

impl Shared {
    fn keep_first_panic(&self, payload: Payload) {
        self.panic
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(payload);
    }

    fn latch(&self) -> *const Latch {
        self.latch.as_ptr()
    }
}

/// A pointer that a task takes along to the scope it belongs to.
struct Home(*const Shared);

#[expect(unsafe_code, reason = "a raw pointer is not Send by default")]
// SAFETY: the scope outlives its tasks, and a thief uses only the counter, the latch by its
// pointer, and the mutex.
unsafe impl Send for Home {}

impl<'scope, 'env> Scope<'scope, 'env> {
    pub(crate) fn open<F, R>(worker: &Worker, body: F) -> R
    where
        F: for<'s> FnOnce(&'s Scope<'s, 'env>) -> R,
    {
        let scope = Scope {
            worker,
            shared: Shared {
                on_deque: Cell::new(0),
                stolen: AtomicUsize::new(0),
                latch: Cell::new(Latch::new()),
                panic: Mutex::new(None),
            },
            scope: PhantomData,
            env: PhantomData,
        };
        // The tasks borrow from frames below this one, so they have to end even if the body panics.
        match catch_unwind(AssertUnwindSafe(|| body(&scope))) {
            Ok(result) => {
                scope.sync();
                result
            }
            Err(payload) => {
                scope.settle();
                resume_unwind(payload)
            }
        }
    }

    /// Offers `task` to thieves; whoever gets to it first runs it.
    ///
    /// On a full deque the task runs at once, before `spawn` returns.
    pub fn spawn<F>(&'scope self, task: F)
    where
        F: FnOnce(&Worker) + Send + 'scope,
    {
        let home = Home(&raw const self.shared);
        let task = Parcel::new(task);
        let job = HeapJob::into_header(move |worker: &Worker, owner: usize| {
            run(home, task, worker, owner)
        });
        self.shared.on_deque.update(|tasks| tasks + 1);
        if self.worker.push(job).is_none() {
            self.worker.execute_own(job);
        }
    }

    /// As [`spawn`](Self::spawn), for a task with a result to be had after a sync.
    ///
    /// ```
    /// fn fib(worker: &magpie::Worker, n: u64) -> u64 {
    ///     if n < 2 {
    ///         return n;
    ///     }
    ///     worker.scope(|scope| {
    ///         let a = scope.fork(move |w| fib(w, n - 1));
    ///         let b = fib(worker, n - 2);
    ///         scope.sync();
    ///         a.get() + b
    ///     })
    /// }
    /// assert_eq!(magpie::Pool::new(2)?.run(|worker| fib(worker, 10)), 55);
    /// # Ok::<(), magpie::PoolError>(())
    /// ```
    pub fn fork<F, R>(&'scope self, task: F) -> Forked<'scope, 'env, R>
    where
        F: FnOnce(&Worker) -> R + Send + 'scope,
        R: Send + 'scope,
    {
        let result = Arc::new(Mutex::new(None));
        let cell = Arc::clone(&result);
        self.spawn(move |worker| {
            let value = task(worker);
            *cell.lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
        });
        Forked {
            scope: self,
            result,
        }
    }

    /// Returns when every task spawned so far has ended. More may be spawned afterwards.
    ///
    /// # Panics
    /// With the first panic among the tasks since the last sync.
    pub fn sync(&self) {
        self.settle();
        let panic = self
            .shared
            .panic
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(payload) = panic {
            resume_unwind(payload);
        }
    }

    /// Runs what nobody has stolen and waits for the rest.
    fn settle(&self) {
        while self.shared.on_deque.get() > 0 {
            let Some(job) = self.worker.pop() else { break };
            // Not necessarily ours: the body may have spawned on an enclosing scope. Each task
            // counts for its own.
            self.worker.execute_own(job);
        }
        // Once a pop fails, everything that was on the deque has been stolen.
        let stolen = self.shared.on_deque.replace(0);
        if stolen == 0 {
            return;
        }
        // Acquire: what the tasks that have ended already wrote. Release: the fresh latch.
        let ended_early = self.shared.stolen.fetch_add(stolen, Ordering::AcqRel);
        if ended_early.wrapping_add(stolen) != 0 {
            self.wait_for_thieves();
        }
    }

    #[expect(
        unsafe_code,
        reason = "the latch is shared through a cell so that it can be replaced"
    )]
    fn wait_for_thieves(&self) {
        // SAFETY: nobody replaces the latch while we wait; thieves only use its atomic.
        self.worker.wait(unsafe { &*self.shared.latch() });
        // The last thief has let go of it, and nobody else is left.
        self.shared.latch.set(Latch::new());
    }
}

/// Runs a spawned task and reports to its scope.
#[expect(unsafe_code, reason = "reaches the scope that the task belongs to")]
fn run<F: FnOnce(&Worker)>(home: Home, task: Parcel<F>, worker: &Worker, owner: usize) {
    let Home(home) = home;
    let attempt = move || {
        let task = task.open();
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| task(worker))) {
            // SAFETY: the scope waits for this task, which has not reported yet.
            unsafe { &*home }.keep_first_panic(payload);
        }
    };
    if owner == worker.index() {
        // Taken back: nobody steals from themselves.
        // SAFETY: the scope is open further down this very stack.
        unsafe { &*home }.on_deque.update(|tasks| tasks - 1);
        attempt();
        return;
    }
    // SAFETY: as above; the scope is alive until the last report.
    let latch = unsafe { &*home }.latch();
    let wake = worker.serve(latch, attempt, move || {
        // SAFETY: as above.
        let stolen = unsafe { &(*home).stolen };
        // Release: what the task wrote. Acquire: the last one passes on what the others wrote.
        // SAFETY: only the last task after the owner's count sees 1, and the owner then waits for
        // the latch, so it is alive; it is not used after.
        stolen.fetch_sub(1, Ordering::AcqRel) == 1 && unsafe { Latch::set(latch) }
    });
    if wake {
        worker.wake(owner);
    }
}

/// A task's result, there after the scope's next sync.
#[must_use = "the result of a task is lost if nobody gets it; `spawn` makes none"]
pub struct Forked<'scope, 'env, R> {
    scope: &'scope Scope<'scope, 'env>,
    result: Arc<Mutex<Option<R>>>,
}

impl<R> Forked<'_, '_, R> {
    /// The result; syncs the scope first if the task has not ended.
    ///
    /// # Panics
    /// If the task panicked: with its panic, or, where an earlier sync has carried that one on
    /// already, with a message that says so.
    #[must_use]
    pub fn get(self) -> R {
        let take = || {
            self.result
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take()
        };
        take()
            .or_else(|| {
                self.scope.sync();
                take()
            })
            .expect("the task panicked, and an earlier sync has carried its panic on")
    }
}
