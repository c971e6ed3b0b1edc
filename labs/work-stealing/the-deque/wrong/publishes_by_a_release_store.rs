//! A thief that reads a later pop's relaxed store synchronises with nothing.

use super::SLOTS;
use super::sync::{AtomicU64, AtomicUsize, Ordering, fence};

/// A worker's deque: its owner pushes and pops at the bottom, thieves steal from the top.
pub(crate) struct Deque {
    /// The oldest entry. Whoever moves it has that entry.
    top: AtomicUsize,
    /// One past the youngest entry. Only the owner writes it.
    bottom: AtomicUsize,
    slots: [AtomicU64; SLOTS],
}

impl Deque {
    /// An empty deque.
    pub(crate) fn new() -> Self {
        // From 1, so that `bottom - 1` never wraps.
        Self {
            top: AtomicUsize::new(1),
            bottom: AtomicUsize::new(1),
            slots: std::array::from_fn(|_| AtomicU64::new(0)),
        }
    }

    // ANCHOR: publish
    /// Owner only: adds an entry; `false` if `SLOTS` entries are in already.
    pub(crate) fn push(&self, entry: u64) -> bool {
        let bottom = self.bottom.load(Ordering::Relaxed);
        // Pairs with the thief's compare-exchange: it has read the slot before we reuse it.
        let top = self.top.load(Ordering::Acquire);
        if bottom - top >= SLOTS {
            return false;
        }
        self.slots[bottom % SLOTS].store(entry, Ordering::Relaxed);
        self.bottom.store(bottom + 1, Ordering::Release);
        true
    }
    // ANCHOR_END: publish

    /// Owner only: takes the youngest entry.
    pub(crate) fn pop(&self) -> Option<u64> {
        let bottom = self.bottom.load(Ordering::Relaxed);
        // Never greater than `bottom`, so an equal value cannot be out of date.
        if self.top.load(Ordering::Relaxed) == bottom {
            return None;
        }
        let youngest = bottom - 1;
        self.bottom.store(youngest, Ordering::Relaxed);
        // Pairs with the fence in `steal`: the thief sees the lower `bottom`, or we see its `top`.
        fence(Ordering::SeqCst);
        let top = self.top.load(Ordering::Relaxed);
        let entry = self.slots[youngest % SLOTS].load(Ordering::Relaxed);
        if top < youngest {
            return Some(entry);
        }
        // The last one, or gone: race the thieves for it as one of them.
        let won = top == youngest && self.claim(top);
        self.bottom.store(bottom, Ordering::Relaxed);
        won.then_some(entry)
    }

    /// Any thread: takes the oldest entry; `None` if there is none, or if others are quicker.
    pub(crate) fn steal(&self) -> Option<u64> {
        let top = self.top.load(Ordering::Acquire);
        fence(Ordering::SeqCst);
        if top >= self.bottom.load(Ordering::Acquire) {
            return None;
        }
        // Before the claim: afterwards the owner may reuse the slot.
        let entry = self.slots[top % SLOTS].load(Ordering::Relaxed);
        self.claim(top).then_some(entry)
    }

    fn claim(&self, top: usize) -> bool {
        let moved = self.top.compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed);
        moved.is_ok()
    }
}
