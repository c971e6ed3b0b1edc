//! Each worker on a line of its own.

use std::mem::{align_of, offset_of, size_of};

use crate::Layout;

// ANCHOR: layout
/// One worker's state. The alignment rounds its size up to a line, so that no two share one.
#[repr(align(64))]
struct Worker {
    bottom: u64,
    top: u64,
    forks: u64,
    random: u64,
}

/// Where the fields of a worker lie.
pub(crate) fn layout() -> Layout {
    Layout {
        stride_bytes: size_of::<Worker>(),
        align_bytes: align_of::<Worker>(),
        bottom: offset_of!(Worker, bottom),
        top: offset_of!(Worker, top),
        forks: offset_of!(Worker, forks),
        random: offset_of!(Worker, random),
    }
}
// ANCHOR_END: layout
