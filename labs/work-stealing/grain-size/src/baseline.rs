//! The slow version: frozen, since every score is measured against it.

use crate::Call;

// ANCHOR: fork
/// Whether to fork this call on a machine of `workers` workers; otherwise it runs serially, and
/// so does everything that it calls.
pub(crate) fn fork(call: Call, workers: usize) -> bool {
    let _ = workers;
    call.can_fork()
}
// ANCHOR_END: fork
