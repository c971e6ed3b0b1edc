//! Two counters in one word save a line, and then a push and a steal overwrite each other.

use crate::Layout;

pub(crate) fn layout() -> Layout {
    Layout {
        stride_bytes: 64,
        align_bytes: 64,
        bottom: 0,
        top: 4,
        forks: 16,
        random: 24,
    }
}
