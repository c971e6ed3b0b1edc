//! The ladder: one fork-join program on runtimes that differ in one thing each.
//!
//! | step | frames of spawned calls | queues |
//! | --- | --- | --- |
//! | [`Step::MappedPages`] | a page mapped and unmapped per call | one, behind a lock |
//! | [`Step::KeptPages`] | pages kept per worker | one, behind a lock |
//! | [`Step::LockedDeques`] | kept | a deque per worker behind a lock each, random stealing |
//! | [`Step::LockFree`] | kept | Chase and Lev's deque, workers' state packed |
//! | [`Step::Aligned`] | kept | the same, each worker's state on cache lines of its own |
//!
//! After the report by Gregor on a small C library with Cilk-like spawn and sync, whose steps these
//! are. Its problem size changes between the second and the third step, and its last one turns on
//! the optimiser; here the program, its size and the compiler stay the same throughout.
//!
//! The program is fib and only fib, so that a job is three words and the runtimes fit a page each.
//! Panics, nesting and sleeping are left to magpie, the runtime at the top of the ladder.

mod chase_lev;
mod frames;
mod global_queue;
mod job;
mod locked_deques;
mod runtime;

use chase_lev::{Aligned, ChaseLev, Packed};
use frames::{KeptPages, MappedPages};
use global_queue::GlobalQueue;
use locked_deques::LockedDeques;

/// A runtime of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A page mapped per call, one queue.
    MappedPages,
    /// Pages kept, one queue.
    KeptPages,
    /// A locked deque per worker.
    LockedDeques,
    /// A lock-free deque per worker, side by side in memory.
    LockFree,
    /// The same, apart from each other.
    Aligned,
}

impl Step {
    /// From the bottom up.
    pub const ALL: [Self; 5] = [
        Self::MappedPages,
        Self::KeptPages,
        Self::LockedDeques,
        Self::LockFree,
        Self::Aligned,
    ];

    /// For a table.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::MappedPages => "a page mapped and unmapped per spawn, one locked queue",
            Self::KeptPages => "pages kept per worker",
            Self::LockedDeques => "a locked deque per worker, random stealing",
            Self::LockFree => "Chase–Lev deques, workers' state packed",
            Self::Aligned => "workers' state 128 bytes apart",
        }
    }

    /// Fibonacci's `n`th number, spawning one of each two calls, on `workers` threads.
    ///
    /// # Panics
    /// With no workers, or if memory or threads run out.
    #[must_use]
    pub fn fib(self, workers: usize, n: u64) -> u64 {
        match self {
            Self::MappedPages => runtime::run::<MappedPages, GlobalQueue>(workers, n),
            Self::KeptPages => runtime::run::<KeptPages, GlobalQueue>(workers, n),
            Self::LockedDeques => runtime::run::<KeptPages, LockedDeques>(workers, n),
            Self::LockFree => runtime::run::<KeptPages, ChaseLev<Packed>>(workers, n),
            Self::Aligned => runtime::run::<KeptPages, ChaseLev<Aligned>>(workers, n),
        }
    }
}
