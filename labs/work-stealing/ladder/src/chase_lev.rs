//! A deque per worker that its owner uses without a lock.
//!
//! Sources: Chase and Lev, SPAA 2005; with the fences of Lê, Pop, Cohen, Zappa Nardelli, PPoPP
//! 2013. The buffer does not grow: the depth of fib's recursion bounds it.

use std::ptr::NonNull;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering, fence};

use crate::job::{Job, JobRef};
use crate::place::Apart;
use crate::runtime::{Queues, victim};

/// More than fib can nest before its numbers overflow 64 bits.
const SLOTS: usize = 256;

/// A worker's deque: two indices and where the entries are.
pub(crate) struct State {
    top: AtomicUsize,
    bottom: AtomicUsize,
    slots: Box<[AtomicPtr<Job>]>,
}

/// Each worker's on cache lines of its own.
pub(crate) struct ChaseLev(Vec<Apart<State>>);

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

impl Queues for ChaseLev {
    fn new(workers: usize) -> Self {
        Self((0..workers).map(|_| State::new().into()).collect())
    }

    fn push(&self, me: usize, job: JobRef) {
        self.0[me].push(job);
    }

    fn take_back(&self, me: usize, _job: JobRef) -> bool {
        self.0[me].take_back()
    }

    fn steal(&self, me: usize, random: u64) -> Option<JobRef> {
        self.0[victim(me, self.0.len(), random)?].steal()
    }
}
