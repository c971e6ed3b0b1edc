//! What it takes to hand a cache line from one core to another.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use anyhow::Context;

/// Hand-overs of one round.
const TURNS: u64 = 1_000_000;

/// Nanoseconds until a write of one thread has been seen and answered by another that polls; the
/// median of five rounds.
pub(crate) fn median_ns() -> anyhow::Result<f64> {
    let mut rounds = (0..5).map(|_| round_ns()).collect::<Vec<_>>();
    rounds.sort_by(f64::total_cmp);
    rounds.get(2).copied().context("five rounds have a median")
}

#[expect(clippy::cast_precision_loss, reason = "nanoseconds of a second")]
fn round_ns() -> f64 {
    let turn = AtomicU64::new(0);
    let start = Instant::now();
    thread::scope(|scope| {
        scope.spawn(|| take_turns(&turn, 1));
        take_turns(&turn, 0);
    });
    start.elapsed().as_nanos() as f64 / TURNS as f64
}

/// Waits for each turn of this parity and passes it on by the compare-exchange that takes a lock.
fn take_turns(turn: &AtomicU64, first: u64) {
    for mine in (first..TURNS).step_by(2) {
        while turn
            .compare_exchange(mine, mine + 1, Ordering::AcqRel, Ordering::Relaxed)
            .is_err()
        {
            std::hint::spin_loop();
        }
    }
}
