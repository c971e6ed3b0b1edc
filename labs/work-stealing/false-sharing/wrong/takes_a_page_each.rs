//! A page per worker is apart for certain, and eats a TLB entry and 4 KiB for 32 bytes.

use crate::Layout;

pub(crate) fn layout() -> Layout {
    Layout {
        stride_bytes: 4096,
        align_bytes: 4096,
        bottom: 0,
        top: 1024,
        forks: 2048,
        random: 3072,
    }
}
