//! Makes the table a whole number of huge pages, so that none is wasted.

use huge::{Backing, Buffer, HUGE_PAGE_BYTES};

use crate::{Entry, Table};

pub(crate) fn allocate(entries: usize) -> Table {
    let per_page = HUGE_PAGE_BYTES / size_of::<Entry>();
    let rounded = entries.next_multiple_of(per_page);
    Buffer::filled(Entry::EMPTY, rounded, Backing::Advised)
        .expect("a region of this size")
        .into()
}
