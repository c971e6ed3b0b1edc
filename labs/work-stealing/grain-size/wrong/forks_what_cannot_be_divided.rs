//! A cutoff by the cost alone: an empty product costs nothing, one large row costs much.

use crate::{Call, FORK_CYCLES};

pub(crate) fn fork(call: Call, _workers: usize) -> bool {
    call.serial_cycles() >= FORK_CYCLES / 64
}
