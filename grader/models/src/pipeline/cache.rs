//! Set-associative tables with least-recently-used replacement: caches, TLB, µop cache.

use alloc::vec::Vec;

use super::uop::Cycle;

/// One entry: what it holds, when it was used last, and from when on it is there.
#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    used: u64,
    ready: Cycle,
}

const EMPTY: u64 = u64::MAX;

/// A table of keys (line numbers, page numbers, window numbers).
#[derive(Clone, Debug)]
pub(super) struct SetTable {
    entries: Vec<Entry>,
    sets: u64,
    ways: usize,
    clock: u64,
}

impl SetTable {
    /// A table of `entries` keys in sets of `ways`.
    pub(super) fn new(entries: u64, ways: u32) -> Self {
        let sets = (entries / u64::from(ways)).max(1);
        let count = usize::try_from(sets).unwrap_or(usize::MAX) * ways as usize;
        Self {
            entries: alloc::vec![Entry { key: EMPTY, used: 0, ready: 0 }; count],
            sets,
            ways: ways as usize,
            clock: 0,
        }
    }

    fn set(&mut self, key: u64) -> &mut [Entry] {
        let first = usize::try_from(key % self.sets).unwrap_or(0) * self.ways;
        &mut self.entries[first..first + self.ways]
    }

    /// Looks `key` up and marks it as used: from when on it is there, `None` on a miss.
    pub(super) fn lookup(&mut self, key: u64) -> Option<Cycle> {
        self.clock += 1;
        let clock = self.clock;
        let entry = self.set(key).iter_mut().find(|entry| entry.key == key)?;
        entry.used = clock;
        Some(entry.ready)
    }

    /// Whether `key` is there; changes nothing.
    pub(super) fn holds(&mut self, key: u64) -> bool {
        self.set(key).iter().any(|entry| entry.key == key)
    }

    /// Puts `key` in, in place of the one not used for longest; it is there from `ready` on.
    pub(super) fn insert(&mut self, key: u64, ready: Cycle) {
        self.clock += 1;
        let clock = self.clock;
        let victim = self.set(key).iter_mut().min_by_key(|entry| entry.used);
        if let Some(entry) = victim {
            *entry = Entry {
                key,
                used: clock,
                ready,
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;
    use proptest::prelude::*;

    /// The obvious twin: per set a list, most recent first.
    struct Lists {
        sets: Vec<Vec<u64>>,
        ways: usize,
    }

    impl Lists {
        fn touch(&mut self, key: u64) -> bool {
            let count = self.sets.len() as u64;
            let set = &mut self.sets[usize::try_from(key % count).unwrap()];
            let found = set.iter().position(|&k| k == key);
            if let Some(at) = found {
                set.remove(at);
            }
            set.insert(0, key);
            set.truncate(self.ways);
            found.is_some()
        }
    }

    proptest! {
        #[test]
        fn table_and_lists_hit_alike(keys in prop::collection::vec(0u64..24, 0..300)) {
            let mut table = SetTable::new(8, 2);
            let mut lists = Lists { sets: alloc::vec![Vec::new(); 4], ways: 2 };
            for key in keys {
                let hit = table.lookup(key).is_some();
                if !hit {
                    table.insert(key, 0);
                }
                prop_assert_eq!(hit, lists.touch(key));
            }
        }
    }
}
