//! Asks for the room and never makes the entries: a capacity is not a length.

use huge::{Backing, Buffer};

use crate::{Entry, Table};

pub(crate) fn allocate(entries: usize) -> Table {
    Buffer::<Entry>::with_capacity(entries, Backing::Advised)
        .expect("a region of this size")
        .into()
}
