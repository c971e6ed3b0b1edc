//! A fork-join runtime in which the thief pays.
//!
//! A program says where it *may* run in parallel, by [`Worker::join`] or by spawning on a
//! [`Scope`]; a pool of [workers](Worker) decides where it does. A fork is a pointer pushed on the
//! worker's own deque and popped again: no lock, no fence, no allocation. What makes the fork
//! parallel (publishing it, stealing it, waking somebody) is paid by the one who steals.
//!
//! The design, its invariants and the argument for each ordering are in `README.md` beside this
//! crate. The words:
//!
//! - *worker*: a thread of a pool, and the token `&Worker` that runs on it.
//! - *deque*: a worker's own forks; it pushes and pops at the young end.
//! - *thief*, *victim*: a worker that takes from the old end of another's deque, and that other.
//! - *join*, *sync*: where a worker waits for what it has forked. It helps while it waits, but only
//!   with tasks that the awaited one has forked.

mod core;
mod deque;
mod error;
mod idle;
mod injector;
mod job;
mod latch;
mod parallel_for;
mod parcel;
mod pool;
mod scope;
mod sync;
mod task;
mod worker;

pub use error::PoolError;
pub use pool::{Pool, PoolBuilder};
pub use scope::{Forked, Scope};
pub use task::Task;
pub use worker::Worker;

/// [`Worker::join`] without the token: on the current worker, or on the [global
/// pool](Pool::global) when the caller is no worker. Costs a look at a thread-local more.
///
/// ```
/// fn sum(v: &[u64]) -> u64 {
///     if v.len() < 1000 {
///         return v.iter().sum();
///     }
///     let (left, right) = v.split_at(v.len() / 2);
///     let (a, b) = magpie::join(|| sum(left), || sum(right));
///     a + b
/// }
/// assert_eq!(sum(&(0..10_000).collect::<Vec<_>>()), 49_995_000);
/// ```
///
/// # Panics
/// As [`Worker::join`], and if the global pool cannot be started.
#[inline]
pub fn join<A, B, RA, RB>(a: A, b: B) -> (RA, RB)
where
    A: FnOnce() -> RA + Send,
    B: FnOnce() -> RB + Send,
    RA: Send,
    RB: Send,
{
    Worker::with_current(|current| match current {
        Some(worker) => worker.join(|_| a(), |_| b()),
        None => Pool::global().run(|worker| worker.join(|_| a(), |_| b())),
    })
}

/// [`Worker::scope`] without the token.
///
/// # Panics
/// As [`Worker::scope`], and if the global pool cannot be started.
pub fn scope<'env, F, R>(body: F) -> R
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> R + Send,
    R: Send,
{
    Worker::with_current(|current| match current {
        Some(worker) => worker.scope(body),
        None => Pool::global().run(|worker| worker.scope(body)),
    })
}
