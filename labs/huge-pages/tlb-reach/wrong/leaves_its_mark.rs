//! Touches every page beforehand by writing to it, and leaves there what it wrote.

use huge::{Backing, Buffer, SMALL_PAGE_BYTES};

use crate::{Entry, Table};

pub(crate) fn allocate(entries: usize) -> Table {
    let mut buffer =
        Buffer::filled(Entry::EMPTY, entries, Backing::Advised).expect("a region of this size");
    for first in buffer
        .iter_mut()
        .step_by(SMALL_PAGE_BYTES / size_of::<Entry>())
    {
        first.key = u64::MAX;
    }
    buffer.into()
}
