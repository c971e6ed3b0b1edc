//! A one-shot signal from whoever finishes a task to the one thread that waits for it.

use crate::sync::{AtomicUsize, Ordering};

const PENDING: usize = 0;
/// The waiter has gone to sleep, or is about to, and must be woken.
const ASLEEP: usize = 1;
const SET: usize = 2;

/// Unset, then set once. The waiter says before it sleeps that it will, so that setting costs no
/// system call when it is awake.
pub(crate) struct Latch {
    state: AtomicUsize,
}

impl Latch {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            state: AtomicUsize::new(PENDING),
        }
    }

    /// Whether the task is finished; if so, all it wrote is visible.
    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        // Acquire: pairs with the release in `set`.
        self.state.load(Ordering::Acquire) == SET
    }

    /// Waiter only: announces that it will sleep. `false` if the latch is set already.
    pub(crate) fn announce_sleep(&self) -> bool {
        match self
            .state
            .compare_exchange(PENDING, ASLEEP, Ordering::Acquire, Ordering::Acquire)
        {
            Ok(_) => true,
            Err(state) => state == ASLEEP,
        }
    }

    /// Sets the latch and says whether the waiter has to be woken.
    ///
    /// Takes a pointer, not a reference: the moment the latch is set the waiter may return and
    /// take the latch's memory with it, while this function has not returned yet.
    ///
    /// # Safety
    /// `latch` points to a live latch, and nothing of ours lives on behind it after this call.
    #[expect(
        unsafe_code,
        reason = "the latch may die inside the call, so no reference to it can be held"
    )]
    pub(crate) unsafe fn set(latch: *const Self) -> bool {
        // SAFETY: alive at the start of the call by contract, and the reference ends with the
        // swap, the last access.
        let state = unsafe { &(*latch).state };
        // Release: pairs with the acquire in `is_set`; it hands over the task's result.
        state.swap(SET, Ordering::Release) == ASLEEP
    }
}
