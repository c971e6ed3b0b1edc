//! A deque per worker that its owner uses without a lock.
//!
//! Sources: Chase and Lev, SPAA 2005; with the fences of Lê, Pop, Cohen, Zappa Nardelli, PPoPP
//! 2013. The buffer does not grow: the depth of fib's recursion bounds it.

use std::marker::PhantomData;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering, fence};

use crate::job::{Job, JobRef};
use crate::runtime::{Queues, victim};

/// More than fib can nest before its numbers overflow 64 bits.
const SLOTS: usize = 256;

/// How the workers' states lie in memory.
pub(crate) trait Layout: Sync {
    /// A state and whatever keeps it apart from the next.
    type Slot: AsRef<State> + From<State> + Sync;
}

/// Side by side: three to a cache line or two.
pub(crate) enum Packed {}
/// Two lines each, since the prefetcher fetches lines in pairs.
pub(crate) enum Aligned {}

/// A state on lines of its own.
#[repr(align(128))]
pub(crate) struct Apart(State);

impl Layout for Packed {
    type Slot = State;
}

impl Layout for Aligned {
    type Slot = Apart;
}

impl AsRef<Self> for State {
    fn as_ref(&self) -> &Self {
        self
    }
}

impl AsRef<State> for Apart {
    fn as_ref(&self) -> &State {
        &self.0
    }
}

impl From<State> for Apart {
    fn from(state: State) -> Self {
        Self(state)
    }
}

/// A worker's deque: two indices and where the entries are.
pub(crate) struct State {
    top: AtomicUsize,
    bottom: AtomicUsize,
    slots: Box<[AtomicPtr<Job>]>,
}

pub(crate) struct ChaseLev<L: Layout> {
    workers: Vec<L::Slot>,
    layout: PhantomData<L>,
}

impl State {
    fn new() -> Self {
        // One, so that `bottom − 1` never wraps.
        let (top, bottom) = (AtomicUsize::new(1), AtomicUsize::new(1));
        let slots = (0..SLOTS)
            .map(|_| AtomicPtr::new(std::ptr::null_mut()))
            .collect();
        Self { top, bottom, slots }
    }

    // ANCHOR: push
    fn push(&self, job: JobRef) {
        let bottom = self.bottom.load(Ordering::Relaxed);
        self.slots[bottom % SLOTS].store(job.as_ptr(), Ordering::Relaxed);
        // Pairs with the acquire load of `bottom` in `steal`: the entry and the job are visible.
        fence(Ordering::Release);
        self.bottom.store(bottom + 1, Ordering::Relaxed);
    }
    // ANCHOR_END: push

    // ANCHOR: take_back
    fn take_back(&self) -> bool {
        let youngest = self.bottom.load(Ordering::Relaxed) - 1;
        self.bottom.store(youngest, Ordering::Relaxed);
        // Pairs with the fence in `steal`: either the thief sees the lower `bottom`, or we its `top`.
        fence(Ordering::SeqCst);
        let top = self.top.load(Ordering::Relaxed);
        if top < youngest {
            return true;
        }
        // The last one: whoever moves `top` has it.
        let won = top == youngest
            && self
                .top
                .compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed)
                .is_ok();
        self.bottom.store(youngest + 1, Ordering::Relaxed);
        won
    }
    // ANCHOR_END: take_back

    // ANCHOR: steal
    fn steal(&self) -> Option<JobRef> {
        let top = self.top.load(Ordering::Acquire);
        fence(Ordering::SeqCst);
        if top >= self.bottom.load(Ordering::Acquire) {
            return None;
        }
        let job = self.slots[top % SLOTS].load(Ordering::Relaxed);
        self.top
            .compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed)
            .ok()?;
        NonNull::new(job).map(JobRef::new)
    }
    // ANCHOR_END: steal
}

impl<L: Layout> Queues for ChaseLev<L> {
    fn new(workers: usize) -> Self {
        Self {
            workers: (0..workers).map(|_| State::new().into()).collect(),
            layout: PhantomData,
        }
    }

    fn push(&self, me: usize, job: JobRef) {
        self.workers[me].as_ref().push(job);
    }

    fn take_back(&self, me: usize, _job: JobRef) -> bool {
        self.workers[me].as_ref().take_back()
    }

    fn steal(&self, me: usize, random: u64) -> Option<JobRef> {
        self.workers[victim(me, self.workers.len(), random)?]
            .as_ref()
            .steal()
    }
}
