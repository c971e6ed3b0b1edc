//! Yours to change: the only file of this lab that you edit.

use crate::{Entry, Table};

/// A table of `entries` empty entries.
pub(crate) fn allocate(entries: usize) -> Table {
    vec![Entry::EMPTY; entries].into()
}
