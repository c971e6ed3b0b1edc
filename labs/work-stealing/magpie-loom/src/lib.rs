//! Magpie's deque and sleep protocol under loom, and under loom with bugs seeded.
//!
//! The files of magpie are compiled here with loom's atomics in place of the standard ones, so no
//! special flag is needed: `cargo test --release -p magpie-loom` explores the interleavings.
//!
//! Bounds: three preemptions, deques of two slots so that the scenarios wrap the buffer, two
//! threads. What loom cannot show: that `skip` must store `split` with release, since loom's
//! compare-exchange never reads behind a store that it has executed already.
//! Two thieves without a bound on preemptions do not finish in hours.

#![cfg(test)]

mod deque_scenarios;
mod idle_scenarios;
mod sync;

#[path = "../../magpie/src/deque.rs"]
#[allow(
    dead_code,
    reason = "the scenarios do not need every function of the source"
)]
mod deque;
#[path = "../../magpie/src/idle.rs"]
#[allow(dead_code, reason = "as above")]
mod idle;
#[path = "../../magpie/src/latch.rs"]
mod latch;
