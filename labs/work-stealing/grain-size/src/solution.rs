//! Yours to change: the only file of this lab that you edit.

use crate::Call;

/// Whether to fork this call on a machine of `workers` workers; otherwise it runs serially, and
/// so does everything that it calls.
pub(crate) fn fork(call: Call, workers: usize) -> bool {
    let _ = workers;
    call.can_fork()
}
