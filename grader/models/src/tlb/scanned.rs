//! True LRU in small sets: each set is a list in the order of last use.

use super::{Entry, array::Sets};
use alloc::{vec, vec::Vec};

/// Sets whose entries stand most recent first, the empty ones last.
#[derive(Clone, Debug)]
pub(super) struct Scanned {
    sets: Sets,
    entries: Vec<Entry>,
}

impl Scanned {
    pub(super) fn new(sets: Sets) -> Self {
        Self {
            sets,
            entries: vec![Entry::EMPTY; sets.entries()],
        }
    }

    #[inline]
    fn set_of(&mut self, entry: Entry) -> &mut [Entry] {
        let start = self.sets.of(entry) * self.sets.ways;
        &mut self.entries[start..start + self.sets.ways]
    }

    #[inline]
    pub(super) fn find(&mut self, entry: Entry) -> bool {
        let set = self.set_of(entry);
        let Some(position) = set.iter().position(|&held| held == entry) else {
            return false;
        };
        set[..=position].rotate_right(1);
        true
    }

    #[inline]
    pub(super) fn insert(&mut self, entry: Entry) {
        let set = self.set_of(entry);
        set.rotate_right(1);
        set[0] = entry;
    }

    pub(super) fn drop_where(&mut self, goes: &dyn Fn(Entry) -> bool) {
        for set in self.entries.chunks_exact_mut(self.sets.ways) {
            let mut kept = 0;
            for position in 0..set.len() {
                let entry = set[position];
                if entry != Entry::EMPTY && !goes(entry) {
                    set[kept] = entry;
                    kept += 1;
                }
            }
            set[kept..].fill(Entry::EMPTY);
        }
    }
}
