//! A worker: what every fork-join call goes through, and where the fast path is.

mod reclaim;
mod theft;

use std::cell::Cell;
use std::marker::PhantomData;
use std::mem;
use std::panic::resume_unwind;
use std::ptr::{self, NonNull};
use std::sync::OnceLock;
use std::thread::{self, Thread};

use crate::core::Core;
use crate::deque::Deque;
use crate::idle::For;
use crate::job::{Header, StackJob};
use crate::latch::Latch;
use crate::scope::Scope;
use crate::sync::{AtomicPtr, Ordering, fence};

use reclaim::Reclaim;
use theft::pause;

/// Entries of a deque. A recursion nested deeper runs its further forks in line: at that depth
/// there is work enough to steal already. Few under Miri, so that its short runs wrap and fill it.
const SLOTS: usize = if cfg!(miri) { 16 } else { 1024 };

/// Rounds of looking in vain before a worker sleeps, some tens of microseconds: about what a
/// futex wake costs, so that waiting a little is never much dearer than having slept at once.
/// Under Miri, which counts no time, looking in vain would be most of what it interprets.
const ROUNDS_AWAKE: u32 = if cfg!(miri) { 2 } else { 60 };

thread_local! {
    /// The worker that this thread is, if it is one.
    static CURRENT: Cell<*const Worker> = const { Cell::new(ptr::null()) };
}

/// What a thread must not share with its thieves' cache lines.
#[repr(align(128))]
struct Apart<T>(T);

/// One worker of a [`Pool`](crate::Pool), and the token that gives access to it.
///
/// A closure that runs on a pool gets a `&Worker` and hands it to the calls below it. It cannot
/// leave the thread: the closures of a fork must be `Send`, and `&Worker` is not.
///
/// ```
/// fn fib(worker: &magpie::Worker, n: u64) -> u64 {
///     if n < 2 {
///         return n;
///     }
///     let (a, b) = worker.join(|w| fib(w, n - 1), |w| fib(w, n - 2));
///     a + b
/// }
///
/// let pool = magpie::Pool::new(2)?;
/// assert_eq!(pool.run(|worker| fib(worker, 20)), 6765);
/// # Ok::<(), magpie::PoolError>(())
/// ```
#[repr(C)]
pub struct Worker {
    deque: Deque<Header, SLOTS>,
    /// Whose task this worker is executing on behalf of another: the latch of the youngest stolen
    /// task on its stack. Written by this worker, read by those that wait for it.
    serving: Apart<AtomicPtr<Latch>>,
    index: usize,
    /// Set by the worker's own thread before it does anything else, and read by it alone.
    core: Cell<*const Core>,
    /// State of the generator that picks victims.
    random: Cell<u64>,
    thread: OnceLock<Thread>,
    /// Not `Sync`: the token stays on its thread.
    not_sync: PhantomData<*const ()>,
}

impl Worker {
    pub(crate) fn new(index: usize) -> Self {
        Self {
            deque: Deque::new(),
            serving: Apart(AtomicPtr::new(ptr::null_mut())),
            index,
            core: Cell::new(ptr::null()),
            random: Cell::new(0x9E37_79B9_7F4A_7C15_u64.wrapping_mul(index as u64 + 1)),
            thread: OnceLock::new(),
            not_sync: PhantomData,
        }
    }

    /// The worker that the calling thread is, if it belongs to a pool.
    #[inline]
    #[expect(
        unsafe_code,
        reason = "a thread-local can only hold a pointer to the worker"
    )]
    pub(crate) fn with_current<R>(f: impl FnOnce(Option<&Worker>) -> R) -> R {
        // SAFETY: set by `main` for as long as the thread runs on its pool, whose memory the
        // thread keeps alive; the reference does not leave this call.
        f(unsafe { CURRENT.get().as_ref() })
    }

    /// This worker's number, from 0 to the number of workers of its pool.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// How many workers its pool has.
    #[must_use]
    pub fn workers(&self) -> usize {
        self.core().workers().len()
    }

    #[inline]
    #[expect(unsafe_code, reason = "a pool and its workers point to each other")]
    pub(crate) fn core(&self) -> &Core {
        // SAFETY: the token exists only on the worker's own thread, whose `main` has set the
        // pointer and keeps the core alive until it returns.
        unsafe { &*self.core.get() }
    }

    /// Runs both closures, perhaps at the same time, and returns both results.
    ///
    /// `a` runs on this thread. `b` runs here as well, after `a`, unless another worker took it
    /// meanwhile. Parallelism is permitted and not promised: neither may wait for the other.
    ///
    /// # Panics
    /// When a closure panics, after both have ended or will never start. If both panic, the panic
    /// of `a` is the one carried on. If `a` panics before `b` was begun, `b` is dropped unrun.
    #[inline]
    #[expect(
        unsafe_code,
        reason = "puts a job into its own frame and takes it back"
    )]
    pub fn join<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&Worker) -> RA + Send,
        B: FnOnce(&Worker) -> RB + Send,
        RA: Send,
        RB: Send,
    {
        let job = StackJob::new(b);
        let Some(index) = self.push(job.as_header()) else {
            // SAFETY: it was not pushed, so this frame still holds it.
            return self.join_in_line(a, unsafe { job.take_closure() });
        };
        let reclaim = Reclaim {
            worker: self,
            job: &job,
        };
        let ra = a(self);
        mem::forget(reclaim);
        if self.deque.take_back_at(index) {
            // SAFETY: taken back, so this frame holds it; what is on top of the deque is ours,
            // for everything that `a` pushed it has also taken back or lost to thieves.
            let b = unsafe { job.take_closure() };
            (ra, b(self))
        } else {
            (ra, self.await_stolen(&job))
        }
    }

    #[cold]
    #[inline(never)]
    fn join_in_line<A, B, RA, RB>(&self, a: A, b: B) -> (RA, RB)
    where
        A: FnOnce(&Worker) -> RA,
        B: FnOnce(&Worker) -> RB,
    {
        (a(self), b(self))
    }

    #[cold]
    #[inline(never)]
    #[expect(unsafe_code, reason = "reads what the thief has left")]
    fn await_stolen<F, R>(&self, job: &StackJob<F, R>) -> R
    where
        F: FnOnce(&Worker) -> R,
    {
        self.wait(job.latch());
        // SAFETY: the latch is set, and this is the only read.
        match unsafe { job.take_result() } {
            Ok(result) => result,
            Err(payload) => resume_unwind(payload),
        }
    }

    /// Opens a scope for any number of spawned tasks; see [`Scope`].
    ///
    /// # Panics
    /// When a task or `body` panics, after all tasks have ended; the first panic is carried on.
    pub fn scope<'env, F, R>(&self, body: F) -> R
    where
        F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> R,
    {
        Scope::open(self, body)
    }

    /// Makes every waiting fork of this worker visible to thieves.
    ///
    /// Worth a call before a task blocks: forks on the private part of the deque are published
    /// when the worker forks again, and one that sleeps in a system call does not.
    pub fn publish(&self) {
        self.deque.publish();
        self.announce();
    }

    /// Adds a job to the deque and returns its index; `None` if the deque is full.
    #[inline(always)]
    pub(crate) fn push(&self, job: NonNull<Header>) -> Option<usize> {
        match self.deque.push(job) {
            Some(index) => Some(index),
            None => self.push_public(job),
        }
    }

    /// Takes the youngest job back.
    pub(crate) fn pop(&self) -> Option<NonNull<Header>> {
        self.deque.pop()
    }

    #[cold]
    #[inline(never)]
    fn push_public(&self, job: NonNull<Header>) -> Option<usize> {
        let pushed = self.deque.push_public(job);
        self.announce();
        pushed
    }

    /// After something became public: wakes somebody for it.
    fn announce(&self) {
        // Pairs with the fence in `Idle::fall_asleep`.
        fence(Ordering::SeqCst);
        let idle = &self.core().idle;
        if idle.is_anyone_hungry() {
            // Publish the next one too.
            self.deque.beg();
        }
        if idle.is_anyone_asleep() {
            let serving = self.serving.0.load(Ordering::Relaxed).cast_const();
            let picked = idle.pick(|wants| {
                wants == For::Anything || (!serving.is_null() && wants == For::PartOf(serving))
            });
            if let Some(worker) = picked {
                self.wake(worker);
            }
        }
    }

    /// Unparks a worker of the same pool.
    pub(crate) fn wake(&self, worker: usize) {
        self.core().wake(worker);
    }

    pub(crate) fn unpark(&self) {
        // Unset only while the pool starts: the worker looks around before it first sleeps.
        if let Some(thread) = self.thread.get() {
            thread.unpark();
        }
    }

    /// Runs a stolen task under its latch's name.
    ///
    /// While it runs, those who wait for `latch` may take what it has forked. The renumbering at
    /// the end is what keeps them from taking anything later: see [`Deque::steal_if`].
    pub(crate) fn serve(
        &self,
        latch: *const Latch,
        run: impl FnOnce(),
        finish: impl FnOnce() -> bool,
    ) -> bool {
        let before = self.serving.0.load(Ordering::Relaxed);
        self.serving.0.store(latch.cast_mut(), Ordering::Release);
        run();
        let wake = finish();
        self.serving.0.store(before, Ordering::Release);
        if self.deque.is_empty() {
            self.deque.skip();
        }
        wake
    }

    /// Waits until a stolen task has ended, helping with what it has forked and with nothing else.
    ///
    /// Helping only one's own descendants is leapfrogging (Wagner and Calder, PPoPP 1993). It
    /// bounds the stack by that of the serial program, for what runs on top of a waiting frame is
    /// always deeper in the same tree; and a lock held across a `join` is never met again by a
    /// stranger's task on the same stack.
    #[cold]
    pub(crate) fn wait(&self, latch: &Latch) {
        let mut rounds = 0;
        while !latch.is_set() {
            if let Some((job, owner)) = self.steal_part_of(latch) {
                self.execute(job, owner);
                rounds = 0;
            } else if rounds < ROUNDS_AWAKE {
                pause(rounds);
                rounds += 1;
            } else if latch.announce_sleep() {
                let idle = &self.core().idle;
                idle.fall_asleep(self.index, For::PartOf(latch));
                let others = self.core().workers();
                let something_to_do = latch.is_set()
                    || others.iter().any(|other| {
                        let serves = other.serves(latch);
                        if serves {
                            other.deque.beg();
                        }
                        serves && other.deque.looks_stealable()
                    });
                if !something_to_do {
                    thread::park();
                }
                idle.get_up(self.index);
                rounds = ROUNDS_AWAKE / 2;
            }
        }
    }

    #[expect(unsafe_code, reason = "calls through the job's header")]
    fn execute(&self, job: NonNull<Header>, owner: usize) {
        // SAFETY: whoever pushed the job keeps it alive until it has run, and it was handed to us
        // alone: a header is the first field of every job.
        let execute = unsafe { job.as_ref() }.execute;
        // SAFETY: as above.
        unsafe { execute(job, self, owner) };
    }

    /// Runs a job that this worker has pushed itself and taken back.
    pub(crate) fn execute_own(&self, job: NonNull<Header>) {
        self.execute(job, self.index);
    }

    /// What a worker's thread does until its pool is dropped.
    pub(crate) fn main(&self, core: &Core) {
        self.core.set(core);
        self.thread.get_or_init(thread::current);
        CURRENT.set(self);
        core.idle.start_searching();
        let mut rounds = 0;
        loop {
            let found = core
                .injector
                .pop()
                .map(|job| (job, self.index))
                .or_else(|| self.steal_any());
            if let Some((job, owner)) = found {
                let was_last = core.idle.stop_searching();
                if was_last && core.has_visible_work() {
                    core.wake_one_for_anything();
                }
                self.execute(job, owner);
                core.idle.start_searching();
                rounds = 0;
            } else if core.is_closing() {
                break;
            } else if rounds < ROUNDS_AWAKE {
                pause(rounds);
                rounds += 1;
            } else {
                core.idle.fall_asleep(self.index, For::Anything);
                for other in core.workers() {
                    other.deque.beg();
                }
                if !core.has_visible_work() && !core.is_closing() {
                    thread::park();
                }
                core.idle.get_up(self.index);
                rounds = 0;
            }
        }
        CURRENT.set(ptr::null());
    }

    pub(crate) fn looks_stealable(&self) -> bool {
        self.deque.looks_stealable()
    }

    /// Waits for something outside the pool, serving what is injected meanwhile: if that something
    /// calls back into this pool, it must find a worker. Whoever makes `done` true unparks us.
    pub(crate) fn wait_outside(&self, done: impl Fn() -> bool) {
        self.publish();
        let core = self.core();
        while !done() {
            if let Some(job) = core.injector.pop() {
                self.execute(job, self.index);
                continue;
            }
            core.idle.fall_asleep(self.index, For::Injected);
            if !done() && core.injector.is_empty() {
                thread::park();
            }
            core.idle.get_up(self.index);
        }
    }
}
