//! What the programs have in common.

use crate::scheduler::program::Access;
use crate::scheduler::program::Range;

/// Bytes of a double.
pub(crate) const DOUBLE: u64 = 8;

/// Bytes of an int.
pub(crate) const INT: u64 = 4;

/// An array in the address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Array {
    start: u64,
    item_bytes: u64,
}

impl Array {
    /// `count` items from index `first`.
    pub(crate) fn range(self, first: u64, count: u64, access: Access) -> Range {
        let bytes = count * self.item_bytes;
        let start = self.start + first * self.item_bytes;
        Range {
            start,
            bytes,
            rows: 1,
            stride_bytes: bytes,
            access,
        }
    }

    pub(crate) fn read(self, first: u64, count: u64) -> Range {
        self.range(first, count, Access::Read)
    }

    pub(crate) fn write(self, first: u64, count: u64) -> Range {
        self.range(first, count, Access::Write)
    }
}

/// Hands out arrays one after the other, each from a page of its own.
#[derive(Clone, Debug, Default)]
pub(crate) struct Layout {
    end: u64,
}

impl Layout {
    const PAGE_BYTES: u64 = 4096;

    pub(crate) fn array(&mut self, count: u64, item_bytes: u64) -> Array {
        let start = self.end.next_multiple_of(Self::PAGE_BYTES);
        self.end = start + count * item_bytes;
        Array { start, item_bytes }
    }

    /// Bytes of the address space so far.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }
}
