//! What a deque entry points to.
//!
//! A job is a header followed by whatever its kind needs. A fork of `join` lives in the stack
//! frame of the joining function, so a spawn allocates nothing; the frame cannot die first, since
//! `join` does not return before the job was taken back or finished.

use std::any::Any;
use std::cell::UnsafeCell;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;
use std::thread::Thread;

use crate::latch::Latch;
use crate::worker::Worker;

/// What a panic carries.
pub(crate) type Payload = Box<dyn Any + Send + 'static>;

/// The common head of every job: how a thief runs it.
///
/// The arguments are the job itself, the worker that runs it, and the number of the worker it was
/// taken from, which is the one to wake when it is done.
#[repr(C)]
pub(crate) struct Header {
    pub(crate) execute: unsafe fn(NonNull<Header>, &Worker, usize),
}

/// The second closure of a `join`, offered to thieves.
#[repr(C)]
pub(crate) struct StackJob<F, R> {
    header: Header,
    latch: Latch,
    /// Full until the one who took the job, owner or thief, moves it out.
    closure: UnsafeCell<ManuallyDrop<F>>,
    /// Written by a thief before it sets the latch, read by the owner after. Never else.
    result: UnsafeCell<MaybeUninit<Result<R, Payload>>>,
}

impl<F, R> StackJob<F, R>
where
    F: FnOnce(&Worker) -> R,
{
    #[inline(always)]
    pub(crate) fn new(closure: F) -> Self {
        Self {
            header: Header {
                execute: Self::execute,
            },
            latch: Latch::new(),
            closure: UnsafeCell::new(ManuallyDrop::new(closure)),
            result: UnsafeCell::new(MaybeUninit::uninit()),
        }
    }

    /// The pointer that goes into the deque.
    #[inline(always)]
    pub(crate) fn as_header(&self) -> NonNull<Header> {
        // From the whole job, not from its header: the thief casts it back and reads the rest.
        NonNull::from(self).cast()
    }

    pub(crate) fn latch(&self) -> &Latch {
        &self.latch
    }

    /// Moves the closure out.
    ///
    /// # Safety
    /// Only once, and only by whoever holds the job: the owner after taking it back (or before
    /// pushing it), or the thief.
    #[inline(always)]
    #[expect(
        unsafe_code,
        reason = "ownership of the closure follows the deque's protocol"
    )]
    pub(crate) unsafe fn take_closure(&self) -> F {
        // SAFETY: the caller alone holds the job, so nobody else has a reference into the cell.
        let closure = unsafe { &mut *self.closure.get() };
        // SAFETY: taken only once, by contract.
        unsafe { ManuallyDrop::take(closure) }
    }

    /// Moves the thief's result out.
    ///
    /// # Safety
    /// Only once, and only after the latch was seen set.
    #[expect(unsafe_code, reason = "the latch says that the result is there")]
    pub(crate) unsafe fn take_result(&self) -> Result<R, Payload> {
        // SAFETY: the thief's last access came before it set the latch.
        let result = unsafe { &*self.result.get() };
        // SAFETY: the latch is set only after the result was written, and it is read only once.
        unsafe { result.assume_init_read() }
    }

    /// Runs the job on a thief and hands over the result. The answer says whether the waiter has
    /// to be woken; the job is gone by then.
    ///
    /// # Safety
    /// The caller alone holds the job that `job` points to, and its memory lives until the latch
    /// is set.
    #[expect(
        unsafe_code,
        reason = "the owner's frame may die the moment the latch is set"
    )]
    pub(crate) unsafe fn run(job: NonNull<Self>, thief: &Worker) -> bool {
        // The closures below hold pointers, never references: a reference in an argument of `serve`
        // would promise that the job is alive until `serve` returns, and it may be gone before.
        // SAFETY: the job is alive, and only an address is taken.
        let latch = unsafe { &raw const (*job.as_ptr()).latch };
        thief.serve(
            latch,
            move || {
                // SAFETY: alive until the latch is set, which is after this closure.
                let this = unsafe { job.as_ref() };
                // SAFETY: the caller holds the job.
                let closure = unsafe { this.take_closure() };
                // A panic is carried to the owner, who does not look at what it broke.
                let result = catch_unwind(AssertUnwindSafe(|| closure(thief)));
                let cell = this.result.get();
                // SAFETY: the owner reads the result only after the latch is set.
                unsafe { (*cell).write(result) };
            },
            // SAFETY: nobody has set the latch yet, so it is alive, and it is not used after.
            move || unsafe { Latch::set(latch) },
        )
    }

    #[expect(unsafe_code, reason = "turns the header's pointer back into the job")]
    unsafe fn execute(header: NonNull<Header>, thief: &Worker, owner: usize) {
        // SAFETY: the deque handed the job to this thief alone; `join` keeps its frame until then.
        if unsafe { Self::run(header.cast(), thief) } {
            thief.wake(owner);
        }
    }
}

/// A boxed closure that nobody waits for here: it brings its own way to report.
#[repr(C)]
pub(crate) struct HeapJob<F> {
    header: Header,
    closure: F,
}

impl<F> HeapJob<F>
where
    F: FnOnce(&Worker, usize),
{
    /// Boxes a closure that gets the worker which runs it and the number of the worker it came
    /// from. It must not panic.
    pub(crate) fn into_header(closure: F) -> NonNull<Header> {
        let job = Box::new(Self {
            header: Header {
                execute: Self::execute,
            },
            closure,
        });
        NonNull::from(Box::leak(job)).cast()
    }

    #[expect(
        unsafe_code,
        reason = "takes the box back that `into_header` gave away"
    )]
    unsafe fn execute(header: NonNull<Header>, thief: &Worker, owner: usize) {
        // SAFETY: made by `into_header`, and whoever holds the job runs it once.
        let job = unsafe { Box::from_raw(header.cast::<Self>().as_ptr()) };
        let Self { header: _, closure } = *job;
        closure(thief, owner);
    }
}

/// A `join`'s caller outside the pool: like a [`StackJob`], but a thread is to be woken.
#[repr(C)]
pub(crate) struct RootJob<F, R> {
    header: Header,
    waiter: Thread,
    pub(crate) job: StackJob<F, R>,
}

impl<F, R> RootJob<F, R>
where
    F: FnOnce(&Worker) -> R,
{
    /// A job whose end unparks the calling thread.
    pub(crate) fn new(closure: F) -> Self {
        Self {
            header: Header {
                execute: Self::execute,
            },
            waiter: std::thread::current(),
            job: StackJob::new(closure),
        }
    }

    /// The pointer that goes into the injector.
    pub(crate) fn as_header(&self) -> NonNull<Header> {
        NonNull::from(self).cast()
    }

    #[expect(unsafe_code, reason = "turns the header's pointer back into the job")]
    unsafe fn execute(header: NonNull<Header>, worker: &Worker, _nobody: usize) {
        let root = header.cast::<Self>();
        // SAFETY: the caller's frame lives until the latch is set, which `run` does.
        let this = unsafe { root.as_ref() };
        let (waiter, job) = (this.waiter.clone(), NonNull::from(&this.job));
        // SAFETY: the injector handed the job to this worker alone.
        unsafe { StackJob::run(job, worker) };
        // Always: a waiter that is awake keeps the token and looks again before it sleeps.
        waiter.unpark();
    }
}
