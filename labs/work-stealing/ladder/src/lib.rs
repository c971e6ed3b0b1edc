//! The ladder: one fork-join program on runtimes that differ in one thing each.
//!
//! | step | frames of spawned calls | queues |
//! | --- | --- | --- |
//! | [`Step::MappedPages`] | a page mapped and unmapped per call | one, behind a lock |
//! | [`Step::KeptPages`] | pages kept per worker | one, behind a lock |
//! | [`Step::LockedDeques`] | kept | a deque per worker behind a lock each, random stealing |
//! | [`Step::Apart`] | kept | the same, each deque and its lock on cache lines of their own |
//! | [`Step::LockFree`] | kept | Chase and Lev's deque, also on lines of its own |
//!
//! After the report by Gregor on a small C library with Cilk-like spawn and sync, whose steps these
//! are. Its problem size changes between the second and the third step, and its last one turns on
//! the optimiser; here the program, its size and the compiler stay the same throughout. He aligned
//! the workers' state after he had taken the locks away; here it comes before, since two locks on
//! one line hide what a lock each brings.
//!
//! The program is fib and only fib, so that a job is three words and the runtimes fit a page each.
//! Panics, nesting and sleeping are left to magpie, the runtime at the top of the ladder.

mod chase_lev;
mod frames;
mod global_queue;
mod job;
mod locked_deques;
mod place;
mod runtime;

use chase_lev::ChaseLev;
use frames::{KeptPages, MappedPages};
use global_queue::GlobalQueue;
use locked_deques::LockedDeques;
use place::{Apart, Packed};

/// A runtime of the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A page mapped per call, one queue.
    MappedPages,
    /// Pages kept, one queue.
    KeptPages,
    /// A locked deque per worker, side by side in memory.
    LockedDeques,
    /// The same, apart from each other.
    Apart,
    /// A lock-free deque per worker.
    LockFree,
}

impl Step {
    /// From the bottom up.
    pub const ALL: [Self; 5] = [
        Self::MappedPages,
        Self::KeptPages,
        Self::LockedDeques,
        Self::Apart,
        Self::LockFree,
    ];

    /// For a table.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::MappedPages => "a page mapped and unmapped per spawn, one locked queue",
            Self::KeptPages => "pages kept per worker",
            Self::LockedDeques => "a locked deque per worker, random stealing",
            Self::Apart => "the workers' deques 128 bytes apart",
            Self::LockFree => "Chase–Lev deques: no lock",
        }
    }

    /// Fibonacci's `n`th number, spawning one of each two calls, on `workers` threads.
    ///
    /// # Panics
    /// With no workers, or if memory or threads run out.
    #[must_use]
    pub fn fib(self, workers: usize, n: u64) -> u64 {
        self.fib_once_ready(workers, n, || {})
    }

    /// The same; `ready` is called when all threads are there, before the first of the calls.
    ///
    /// # Panics
    /// With no workers, or if memory or threads run out.
    #[must_use]
    pub fn fib_once_ready(self, workers: usize, n: u64, ready: impl FnOnce()) -> u64 {
        use runtime::run;
        match self {
            Self::MappedPages => run::<MappedPages, GlobalQueue>(workers, n, ready),
            Self::KeptPages => run::<KeptPages, GlobalQueue>(workers, n, ready),
            Self::LockedDeques => run::<KeptPages, LockedDeques<Packed<_>>>(workers, n, ready),
            Self::Apart => run::<KeptPages, LockedDeques<Apart<_>>>(workers, n, ready),
            Self::LockFree => run::<KeptPages, ChaseLev>(workers, n, ready),
        }
    }
}
