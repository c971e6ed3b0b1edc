//! A thief's side: whom it robs, what it may take while it waits, and how it waits.

use super::{ROUNDS_AWAKE, Worker};
use crate::deque::Steal;
use crate::job::Header;
use crate::latch::Latch;
use crate::sync::Ordering;
use std::ptr::{self, NonNull};
use std::thread;

/// Victims that a thief looks at in one round. With thousands of workers, all of whom look at all
/// others, starting a pool would take as long as it has workers squared.
const VICTIMS: usize = 64;

impl Worker {
    pub(super) fn serves(&self, latch: *const Latch) -> bool {
        // Acquire: pairs with the release in `serve`.
        ptr::eq(self.serving.0.load(Ordering::Acquire), latch)
    }

    pub(super) fn steal_part_of(&self, latch: &Latch) -> Option<(NonNull<Header>, usize)> {
        for other in self.core().workers() {
            if !other.serves(latch) {
                continue;
            }
            match other.deque.steal_if(|| other.serves(latch)) {
                Steal::Taken(job) => return Some((job, other.index)),
                Steal::Retry => {}
                Steal::Empty => other.deque.beg(),
            }
        }
        None
    }

    /// Looks at other workers, from a random one on: at each of them once, if they are not too many.
    pub(super) fn steal_any(&self) -> Option<(NonNull<Header>, usize)> {
        let workers = self.core().workers();
        let start = self.random_below(workers.len());
        let (later, sooner) = workers.split_at(start);
        for other in sooner.iter().chain(later).take(VICTIMS) {
            if other.index == self.index {
                continue;
            }
            match other.deque.steal_if(|| true) {
                Steal::Taken(job) => return Some((job, other.index)),
                Steal::Retry => {}
                Steal::Empty => other.deque.beg(),
            }
        }
        None
    }

    /// Marsaglia's xorshift; the bias of the multiplication does not matter for a victim.
    fn random_below(&self, bound: usize) -> usize {
        let mut x = self.random.get();
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        self.random.set(x);
        usize::try_from((u128::from(x) * bound as u128) >> 64).expect("below a usize")
    }
}

/// Waits a little: longer each round, and giving the core away in the later ones.
pub(super) fn pause(round: u32) {
    if round < ROUNDS_AWAKE / 2 {
        for _ in 0..=round {
            std::hint::spin_loop();
        }
    } else {
        thread::yield_now();
    }
}
