//! Who is looking for work, who sleeps, and whom to wake.
//!
//! Nobody spins at rest. A worker that has looked in vain for a while enters the list of sleepers,
//! looks once more, and parks. Whoever makes work visible looks into the list afterwards. Both
//! sides put a sequentially consistent fence between their write and their read, so at least one
//! of them sees the other: no work is left lying while everybody sleeps.

use std::sync::PoisonError;

use crate::latch::Latch;
use crate::sync::{AtomicUsize, Mutex, MutexGuard, Ordering, fence};

/// What a sleeper would get up for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum For {
    /// Any work: it has nothing else to do.
    Anything,
    /// Work that the task behind this latch has spawned. The address is compared, never followed.
    PartOf(*const Latch),
    /// Work injected from outside: it waits for another pool.
    Injected,
}

struct Sleeper {
    worker: usize,
    wants: For,
}

/// The bookkeeping of one pool.
pub(crate) struct Idle {
    /// Workers with nothing to do, awake or asleep.
    hungry: AtomicUsize,
    /// Those of them who are awake and looking. While there is one, nobody else need be woken.
    searching: AtomicUsize,
    /// Length of `sleepers`.
    asleep: AtomicUsize,
    sleepers: Mutex<Vec<Sleeper>>,
}

// The pointers in the list are only ever compared.
#[expect(
    unsafe_code,
    reason = "a raw pointer makes the list neither Send nor Sync by default"
)]
// SAFETY: the latch addresses are compared and never dereferenced; all else is Send.
unsafe impl Send for Sleeper {}

impl Idle {
    pub(crate) fn new() -> Self {
        Self {
            hungry: AtomicUsize::new(0),
            searching: AtomicUsize::new(0),
            asleep: AtomicUsize::new(0),
            sleepers: Mutex::new(Vec::new()),
        }
    }

    fn sleepers(&self) -> MutexGuard<'_, Vec<Sleeper>> {
        // Nothing panics while it is held; should an allocation fail, the list is still whole.
        self.sleepers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A worker has run out of work.
    pub(crate) fn start_searching(&self) {
        self.hungry.fetch_add(1, Ordering::Relaxed);
        self.searching.fetch_add(1, Ordering::Relaxed);
    }

    /// A searching worker has found something. `true` if nobody else is looking any more.
    pub(crate) fn stop_searching(&self) -> bool {
        self.hungry.fetch_sub(1, Ordering::Relaxed);
        self.searching.fetch_sub(1, Ordering::SeqCst) == 1
    }

    /// Whether somebody would take work if it were public.
    pub(crate) fn is_anyone_hungry(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0
    }

    /// Whether there is anybody to wake.
    pub(crate) fn is_anyone_asleep(&self) -> bool {
        self.asleep.load(Ordering::Relaxed) > 0
    }

    /// Enters the list. The caller looks for work once more before it parks.
    pub(crate) fn fall_asleep(&self, worker: usize, wants: For) {
        let mut sleepers = self.sleepers();
        sleepers.push(Sleeper { worker, wants });
        self.asleep.store(sleepers.len(), Ordering::Relaxed);
        drop(sleepers);
        if wants == For::Anything {
            self.searching.fetch_sub(1, Ordering::Relaxed);
        }
        // Pairs with the fence of whoever makes work visible.
        fence(Ordering::SeqCst);
    }

    /// Leaves the list, if nobody has taken the worker off it to wake it.
    pub(crate) fn get_up(&self, worker: usize) {
        let mut sleepers = self.sleepers();
        let Some(at) = sleepers.iter().position(|sleeper| sleeper.worker == worker) else {
            return; // Whoever woke it has counted it as searching already.
        };
        let sleeper = sleepers.swap_remove(at);
        self.asleep.store(sleepers.len(), Ordering::Relaxed);
        if sleeper.wants == For::Anything {
            self.searching.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Takes one sleeper off the list who would get up for this work: the caller unparks it.
    ///
    /// The caller has made the work visible and then called [`fence`] with `SeqCst`.
    pub(crate) fn pick(&self, may_take: impl Fn(For) -> bool) -> Option<usize> {
        if !self.is_anyone_asleep() || self.searching.load(Ordering::Relaxed) > 0 {
            return None;
        }
        let mut sleepers = self.sleepers();
        let at = sleepers
            .iter()
            .position(|sleeper| may_take(sleeper.wants))?;
        let sleeper = sleepers.swap_remove(at);
        self.asleep.store(sleepers.len(), Ordering::Relaxed);
        if sleeper.wants == For::Anything {
            // On its behalf, so that the next caller does not wake another one for the same work.
            self.searching.fetch_add(1, Ordering::Relaxed);
        }
        Some(sleeper.worker)
    }
}
