//! Tables by which generated code sees that an access can add nothing to the footprint.
//!
//! Per kind of access, a direct-mapped table of units that were already touched by that kind in the
//! current interval. Generated code compares and goes on; only a miss calls the tool. Each tag is the
//! address of the unit's first byte, so that one subtraction and one comparison answer both
//! questions: is it this unit, and does the access end within it?

use crate::hot::Word;
use alloc::{boxed::Box, vec::Vec};
use models::trace::AccessKind;

/// Entries per kind. Measured on the mixed example: fewer cost calls, more cost the program's own
/// place in the cache.
pub(crate) const SLOTS: u64 = 1 << SLOT_BITS;
const SLOT_BITS: u32 = 12;
/// Bytes from one kind's table to the next.
pub(crate) const TABLE_BYTES: u64 = SLOTS * 8;
/// No unit starts here: user addresses lie far below, and the distance to any of them is far
/// greater than a unit.
pub(crate) const EMPTY: u64 = 1 << 63;

/// The three tables, and which of their entries are in use.
pub(crate) struct Filter {
    /// `AccessKind::index() * SLOTS + slot`; leaked, since generated code holds the address.
    tags: &'static [Word],
    used: Vec<u16>,
}

impl Filter {
    /// An empty filter.
    pub(crate) fn new() -> Self {
        let entries = AccessKind::ALL.len() * (1 << SLOT_BITS);
        let tags: Vec<Word> = (0..entries).map(|_| Word::new(EMPTY)).collect();
        Self {
            tags: Box::leak(tags.into_boxed_slice()),
            used: Vec::with_capacity(entries),
        }
    }

    /// Where generated code finds the tables.
    pub(crate) fn address(&self) -> u64 {
        self.tags.first().map_or(0, Word::address)
    }

    /// From now on accesses of `kind` within `unit` pass without a call.
    #[inline]
    pub(crate) fn remember(&mut self, unit: u64, unit_shift: u32, kind: AccessKind) {
        let slot = (unit & (SLOTS - 1)) as u16;
        #[expect(clippy::cast_possible_truncation, reason = "three kinds of 4096 slots")]
        let index = ((kind.index() as u16) << SLOT_BITS) | slot;
        if let Some(tag) = self.tags.get(usize::from(index)) {
            if tag.get() == EMPTY {
                self.used.push(index);
            }
            tag.set(unit << unit_shift);
        }
    }

    /// Forgets every unit: a new interval begins.
    pub(crate) fn clear(&mut self) {
        for index in self.used.drain(..) {
            if let Some(tag) = self.tags.get(usize::from(index)) {
                tag.set(EMPTY);
            }
        }
    }
}
