//! One worker's deque: a lock-free public part that thieves may take from, and on top of it a
//! private tail that only its owner knows, so that a push and a pop cost no fence.
//!
//! ```text
//!    slots   … taken │ public: thieves may steal │ private: the owner's alone │ free …
//!                   top                        split                        bottom
//! ```
//!
//! The public part is the deque of Chase and Lev with the fences of Lê et al.; `split` plays the
//! role of their `bottom`. The owner publishes by moving `split` up, and only when somebody is
//! hungry: a thief says so by lowering `limit`, which a push compares with anyway to see whether
//! the buffer is full. One comparison per push thus answers both questions, and a pop above
//! `split` needs no atomic read-modify-write at all.
//!
//! Indices only grow and are taken modulo the number of slots, which never changes: a push into a
//! full deque fails, and the caller runs the task itself.
//!
//! Sources: Chase and Lev, SPAA 2005; Lê, Pop, Cohen, Zappa Nardelli, PPoPP 2013; the private
//! tail after van Dijk and van de Pol, "Lace", 2014, and Acar, Charguéraud, Rainey, PPoPP 2013.

use std::ptr::NonNull;

use crate::sync::{AtomicPtr, AtomicUsize, Cell, Ordering, fence};

/// What a thief found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Steal<T> {
    /// The oldest public entry, now the thief's.
    Taken(NonNull<T>),
    /// Somebody else won the race for it: look again.
    Retry,
    /// Nothing public.
    Empty,
}

/// What only the owner touches. Two cache lines, since the prefetcher fetches lines in pairs.
#[repr(align(128))]
struct Own {
    /// One past the youngest entry.
    bottom: Cell<usize>,
}

/// What thieves touch as well. The owner only reads here as long as nobody is hungry.
#[repr(align(128))]
struct Shared {
    /// The oldest entry. Thieves move it with a compare-exchange; so does the owner for the last.
    top: AtomicUsize,
    /// One past the youngest public entry. Written by the owner.
    split: AtomicUsize,
    /// A push at or past this index takes the slow path. Written by the owner when it has counted
    /// the free slots, and set to 0 by whoever wants work published; never raised by others.
    limit: AtomicUsize,
}

/// A deque of pointers to `T` with `SLOTS` entries, a power of two.
///
/// Functions named "owner only" may be called by one thread at a time, and calls must be ordered
/// by happens-before; all others may be called by anyone at any time.
#[repr(C)]
pub(crate) struct Deque<T, const SLOTS: usize> {
    own: Own,
    shared: Shared,
    slots: [AtomicPtr<T>; SLOTS],
}

impl<T, const SLOTS: usize> Deque<T, SLOTS> {
    pub(crate) fn new() -> Self {
        const { assert!(SLOTS.is_power_of_two(), "indices are wrapped with a mask") };
        Self {
            own: Own {
                bottom: Cell::new(0),
            },
            shared: Shared {
                top: AtomicUsize::new(0),
                split: AtomicUsize::new(0),
                limit: AtomicUsize::new(0),
            },
            slots: std::array::from_fn(|_| AtomicPtr::new(std::ptr::null_mut())),
        }
    }

    fn slot(&self, index: usize) -> &AtomicPtr<T> {
        &self.slots[index & (SLOTS - 1)]
    }

    /// Owner only: adds an entry to the private tail if there is room and nobody is hungry, and
    /// returns its index. After `None`, [`push_public`](Self::push_public) finds out which of the
    /// two it was.
    #[inline(always)]
    pub(crate) fn push(&self, entry: NonNull<T>) -> Option<usize> {
        let bottom = self.own.bottom.get();
        // Relaxed: a hint. A late view of a thief's 0 delays one publication, and a stale larger
        // value cannot be seen, since only this thread ever raises the limit.
        if bottom >= self.shared.limit.load(Ordering::Relaxed) {
            return None;
        }
        // Relaxed: the entry becomes visible by the fence in `publish`. Not a plain write, for a
        // thief that is about to lose its race may read the slot's previous tenant meanwhile.
        self.slot(bottom).store(entry.as_ptr(), Ordering::Relaxed);
        self.own.bottom.set(bottom + 1);
        Some(bottom)
    }

    /// Owner only: adds an entry and makes every entry public. `None`: the deque is full, and the
    /// entry was not added.
    pub(crate) fn push_public(&self, entry: NonNull<T>) -> Option<usize> {
        let bottom = self.own.bottom.get();
        // Acquire: pairs with the thief's compare-exchange. The thief has read the slot before we
        // reuse it.
        let top = self.shared.top.load(Ordering::Acquire);
        let has_room = bottom - top < SLOTS;
        if has_room {
            self.slot(bottom).store(entry.as_ptr(), Ordering::Relaxed);
            self.own.bottom.set(bottom + 1);
        }
        self.publish();
        self.shared.limit.store(top + SLOTS, Ordering::Relaxed);
        has_room.then_some(bottom)
    }

    /// Owner only: makes every entry public.
    pub(crate) fn publish(&self) {
        let bottom = self.own.bottom.get();
        // A fence and not `split.store(Release)`: a thief may instead read the relaxed store of a
        // later `pop`, and only a fence covers the stores that come after it as well.
        fence(Ordering::Release);
        self.shared.split.store(bottom, Ordering::Relaxed);
    }

    /// Owner only: takes the youngest entry back, whichever it is.
    pub(crate) fn pop(&self) -> Option<NonNull<T>> {
        let youngest = self.own.bottom.get().wrapping_sub(1);
        if self.take_back() {
            NonNull::new(self.slot(youngest).load(Ordering::Relaxed))
        } else {
            None
        }
    }

    /// Owner only: takes the youngest entry back; `false` if it was stolen, and then so was
    /// everything older, for thieves take the oldest first.
    #[inline(always)]
    pub(crate) fn take_back(&self) -> bool {
        let bottom = self.own.bottom.get();
        // Relaxed: our own last store.
        if bottom > self.shared.split.load(Ordering::Relaxed) {
            self.own.bottom.set(bottom - 1);
            return true;
        }
        self.take_back_public()
    }

    /// Owner only: takes the youngest entry back, where everything pushed after the entry at
    /// `index` has been taken back or stolen; `false` if it was stolen.
    ///
    /// Knowing the index spares a load of `bottom`, and with it the wait for the last store to it.
    #[inline(always)]
    pub(crate) fn take_back_at(&self, index: usize) -> bool {
        // Relaxed: our own last store. At or above it, the entry is private, so it is still there
        // and is the youngest.
        if index >= self.shared.split.load(Ordering::Relaxed) {
            self.own.bottom.set(index);
            return true;
        }
        self.take_back_public()
    }

    /// The pop of Chase and Lev, on the public part.
    #[cold]
    fn take_back_public(&self) -> bool {
        let split = self.own.bottom.get();
        // Relaxed: `top` never passes `split`, so an equal value, however old, is the final one.
        if self.shared.top.load(Ordering::Relaxed) == split {
            self.shared.limit.store(0, Ordering::Relaxed);
            return false;
        }
        let youngest = split - 1;
        self.shared.split.store(youngest, Ordering::Relaxed);
        // Pairs with the fence in `steal_if`: either a thief sees the lowered `split`, or we see
        // its `top`. Without it both may take the same entry.
        fence(Ordering::SeqCst);
        let top = self.shared.top.load(Ordering::Relaxed);
        if top < youngest {
            self.own.bottom.set(youngest);
            return true;
        }
        // The last one: race the thieves for it as one of them.
        let won = top == youngest
            && self
                .shared
                .top
                .compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed)
                .is_ok();
        self.own.bottom.set(split);
        self.shared.split.store(split, Ordering::Relaxed);
        // Nothing is public now: have the next push publish, so that thieves always see something.
        self.shared.limit.store(0, Ordering::Relaxed);
        won
    }

    /// Anyone: takes the oldest public entry, if `admissible` still holds when it is called.
    ///
    /// `admissible` is called after `top` is read and before the entry is claimed: if the owner
    /// makes it false and then calls [`skip`](Self::skip), no later push can be taken by this call.
    pub(crate) fn steal_if(&self, admissible: impl FnOnce() -> bool) -> Steal<T> {
        // Acquire: pairs with the release in `skip` and in other thieves' compare-exchange.
        let top = self.shared.top.load(Ordering::Acquire);
        if !admissible() {
            return Steal::Empty;
        }
        // Pairs with the fence in `take_back_public`.
        fence(Ordering::SeqCst);
        // Acquire: pairs with the fence in `publish`; the entry and the task behind it are visible.
        let split = self.shared.split.load(Ordering::Acquire);
        if top >= split {
            return Steal::Empty;
        }
        let entry = self.slot(top).load(Ordering::Relaxed);
        // SeqCst, for its release half (the owner may reuse the slot) and to be ordered with the
        // fences. Whoever loses has read a slot that may be stale, and forgets it.
        if self
            .shared
            .top
            .compare_exchange(top, top + 1, Ordering::SeqCst, Ordering::Relaxed)
            .is_err()
        {
            return Steal::Retry;
        }
        if top + 1 == split {
            // Took the last: the next thief should not have to ask first.
            self.beg();
        }
        NonNull::new(entry).map_or(Steal::Retry, Steal::Taken)
    }

    /// Anyone: asks the owner to publish at its next push.
    pub(crate) fn beg(&self) {
        // Looked at first: a store takes the line away from the owner.
        if self.shared.limit.load(Ordering::Relaxed) != 0 {
            self.shared.limit.store(0, Ordering::Relaxed);
        }
    }

    /// Anyone: whether something public was there a moment ago.
    pub(crate) fn looks_stealable(&self) -> bool {
        let top = self.shared.top.load(Ordering::Relaxed);
        top < self.shared.split.load(Ordering::Relaxed)
    }

    /// Owner only: whether every entry was taken back or stolen, as far as the owner has noticed.
    pub(crate) fn is_empty(&self) -> bool {
        self.own.bottom.get() == self.shared.top.load(Ordering::Relaxed)
    }

    /// Owner only, on an empty deque: renumbers it, so that every thief who has read `top` before
    /// fails, see [`steal_if`](Self::steal_if).
    pub(crate) fn skip(&self) {
        let next = self.own.bottom.get() + 1;
        self.own.bottom.set(next);
        // Release: pairs with the acquire in `steal_if`. A thief that sees the new number also
        // sees whatever made its `admissible` false.
        self.shared.top.store(next, Ordering::Release);
        // After `top`, or a thief would find a public entry that does not exist. Release: a thief
        // that sees the new `split` must also fail its compare-exchange on the old `top`.
        self.shared.split.store(next, Ordering::Release);
    }
}
