//! True LRU in sets too big to be scanned: a hash table finds the entry, and a linked list per set
//! keeps the order of last use, so that a hit and a miss cost the same for 64 ways and for 3072.

use super::{Entry, array::Sets};
use alloc::{vec, vec::Vec};

/// No slot.
const NONE: u32 = u32::MAX;
/// An odd number with well mixed bits. Source: 2⁶⁴ divided by the golden ratio.
const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// Sets as lists through slots, which a hash table with linear probing finds.
#[derive(Clone, Debug)]
pub(super) struct Indexed {
    sets: Sets,
    /// By slot; a set's slots lie side by side.
    entries: Vec<Entry>,
    /// By slot: the slot used next after it, and next before it.
    newer: Vec<u32>,
    older: Vec<u32>,
    /// By set: the slots used last and longest ago, and how many are in use.
    newest: Vec<u32>,
    oldest: Vec<u32>,
    used: Vec<u32>,
    /// Slots by hash, at most half of it in use.
    table: Vec<u32>,
    shift: u32,
}

impl Indexed {
    pub(super) fn new(sets: Sets) -> Self {
        let slots = sets.entries();
        let count = slots / sets.ways;
        let buckets = (2 * slots).next_power_of_two();
        Self {
            sets,
            entries: vec![Entry::EMPTY; slots],
            newer: vec![NONE; slots],
            older: vec![NONE; slots],
            newest: vec![NONE; count],
            oldest: vec![NONE; count],
            used: vec![0; count],
            table: vec![NONE; buckets],
            shift: u64::BITS - buckets.trailing_zeros(),
        }
    }

    fn home(&self, entry: Entry) -> usize {
        usize::try_from(entry.0.wrapping_mul(MIX) >> self.shift).unwrap_or(0)
    }

    /// The bucket that holds the entry, or the empty one where it would go.
    #[inline]
    fn bucket(&self, entry: Entry) -> usize {
        let mask = self.table.len() - 1;
        let mut bucket = self.home(entry);
        loop {
            let slot = self.table[bucket];
            if slot == NONE || self.entries[slot as usize] == entry {
                return bucket;
            }
            bucket = (bucket + 1) & mask;
        }
    }

    /// Takes a bucket's slot out and closes the gap, so that every entry is still found.
    fn empty(&mut self, mut gap: usize) {
        let mask = self.table.len() - 1;
        let mut bucket = gap;
        loop {
            bucket = (bucket + 1) & mask;
            let slot = self.table[bucket];
            if slot == NONE {
                break;
            }
            let home = self.home(self.entries[slot as usize]);
            // An entry may move back to the gap unless its home lies between the two.
            if bucket.wrapping_sub(home) & mask >= bucket.wrapping_sub(gap) & mask {
                self.table[gap] = slot;
                gap = bucket;
            }
        }
        self.table[gap] = NONE;
    }

    fn unlink(&mut self, set: usize, slot: u32) {
        let (newer, older) = (self.newer[slot as usize], self.older[slot as usize]);
        match newer {
            NONE => self.newest[set] = older,
            newer => self.older[newer as usize] = older,
        }
        match older {
            NONE => self.oldest[set] = newer,
            older => self.newer[older as usize] = newer,
        }
    }

    fn link_newest(&mut self, set: usize, slot: u32) {
        let before = self.newest[set];
        self.older[slot as usize] = before;
        self.newer[slot as usize] = NONE;
        match before {
            NONE => self.oldest[set] = slot,
            before => self.newer[before as usize] = slot,
        }
        self.newest[set] = slot;
    }

    #[inline]
    pub(super) fn find(&mut self, entry: Entry) -> bool {
        let slot = self.table[self.bucket(entry)];
        if slot == NONE {
            return false;
        }
        let set = self.sets.of(entry);
        if self.newest[set] != slot {
            self.unlink(set, slot);
            self.link_newest(set, slot);
        }
        true
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "a machine's entries are a 32-bit number"
    )]
    pub(super) fn insert(&mut self, entry: Entry) {
        let set = self.sets.of(entry);
        let used = self.used[set] as usize;
        let slot = if used < self.sets.ways {
            self.used[set] += 1;
            (set * self.sets.ways + used) as u32
        } else {
            let oldest = self.oldest[set];
            let bucket = self.bucket(self.entries[oldest as usize]);
            self.empty(bucket);
            self.unlink(set, oldest);
            oldest
        };
        self.entries[slot as usize] = entry;
        let bucket = self.bucket(entry);
        self.table[bucket] = slot;
        self.link_newest(set, slot);
    }

    /// Puts what stays into an empty array, oldest first.
    pub(super) fn drop_where(&mut self, goes: &dyn Fn(Entry) -> bool) {
        let held = |entry: &&Entry| **entry != Entry::EMPTY;
        if !self.entries.iter().filter(held).any(|&entry| goes(entry)) {
            return;
        }
        let mut rest = Self::new(self.sets);
        for &oldest in &self.oldest {
            let mut slot = oldest;
            while slot != NONE {
                let entry = self.entries[slot as usize];
                if !goes(entry) {
                    rest.insert(entry);
                }
                slot = self.newer[slot as usize];
            }
        }
        *self = rest;
    }
}
