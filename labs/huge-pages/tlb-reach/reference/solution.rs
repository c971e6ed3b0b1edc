//! The same entries, in memory that asked for huge pages before its first touch.

use huge::{Backing, Buffer};

use crate::{Entry, Table};

// ANCHOR: allocate
/// A table of `entries` empty entries.
pub(crate) fn allocate(entries: usize) -> Table {
    match Buffer::filled(Entry::EMPTY, entries, Backing::Advised) {
        Ok(buffer) => buffer.into(),
        // Without huge pages the table is slow, not missing.
        Err(_) => vec![Entry::EMPTY; entries].into(),
    }
}
// ANCHOR_END: allocate
