//! Fork what is worth thirty forks, and stop there.

use crate::{Call, FORK_CYCLES};

// ANCHOR: fork
/// A leaf of this many cycles pays three percent for the fork that made it.
const LEAF_CYCLES: u64 = 30 * FORK_CYCLES;

/// Whether to fork this call on a machine of `workers` workers; otherwise it runs serially, and
/// so does everything that it calls.
pub(crate) fn fork(call: Call, workers: usize) -> bool {
    // Alone, nobody would ever take what is forked.
    workers > 1 && call.can_fork() && call.serial_cycles() > LEAF_CYCLES
}
// ANCHOR_END: fork
