//! The offset of a field that was moved to another struct: in truth it is the next worker's bottom.

use crate::Layout;

pub(crate) fn layout() -> Layout {
    Layout {
        stride_bytes: 64,
        align_bytes: 64,
        bottom: 0,
        top: 64,
        forks: 8,
        random: 16,
    }
}
