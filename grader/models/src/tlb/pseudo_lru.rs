//! Sets that remember less than the order of use: one word of bits for each.

use super::{Entry, array::Sets};
use alloc::{vec, vec::Vec};

#[derive(Clone, Copy, Debug)]
enum Form {
    Tree,
    Bits,
}

/// Sets whose entries keep their ways.
#[derive(Clone, Debug)]
pub(super) struct PseudoLru {
    sets: Sets,
    form: Form,
    entries: Vec<Entry>,
    /// By set. Tree: bit `m` belongs to the fork whose right side begins at way `m`, and is set if
    /// that side goes next. Bits: bit `w` is set if way `w` was used.
    bits: Vec<u64>,
}

impl PseudoLru {
    pub(super) fn tree(sets: Sets) -> Self {
        Self::new(sets, Form::Tree)
    }

    pub(super) fn bits(sets: Sets) -> Self {
        Self::new(sets, Form::Bits)
    }

    fn new(sets: Sets, form: Form) -> Self {
        Self {
            sets,
            form,
            entries: vec![Entry::EMPTY; sets.entries()],
            bits: vec![0; sets.entries() / sets.ways],
        }
    }

    fn set(&self, set: usize) -> &[Entry] {
        let start = set * self.sets.ways;
        &self.entries[start..start + self.sets.ways]
    }

    pub(super) fn find(&mut self, entry: Entry) -> bool {
        let set = self.sets.of(entry);
        let way = self.set(set).iter().position(|&held| held == entry);
        if let Some(way) = way {
            self.bits[set] = self.used(self.bits[set], way);
        }
        way.is_some()
    }

    pub(super) fn insert(&mut self, entry: Entry) {
        let set = self.sets.of(entry);
        let free = self.set(set).iter().position(|&held| held == Entry::EMPTY);
        let way = free.unwrap_or_else(|| self.victim(self.bits[set]));
        self.entries[set * self.sets.ways + way] = entry;
        self.bits[set] = self.used(self.bits[set], way);
    }

    /// The bits after a use of `way`.
    fn used(&self, bits: u64, way: usize) -> u64 {
        match self.form {
            Form::Bits => {
                let all = u64::MAX >> (64 - self.sets.ways);
                let now = bits | 1 << way;
                if now == all { 1 << way } else { now }
            }
            Form::Tree => {
                let mut bits = bits;
                let (mut first, mut end) = (0, self.sets.ways);
                while end - first > 1 {
                    let middle = usize::midpoint(first, end);
                    if way < middle {
                        bits |= 1 << middle;
                        end = middle;
                    } else {
                        bits &= !(1 << middle);
                        first = middle;
                    }
                }
                bits
            }
        }
    }

    /// The way that makes room in a full set.
    fn victim(&self, bits: u64) -> usize {
        match self.form {
            // One way: its bit is always set, and it goes all the same.
            Form::Bits => (!bits).trailing_zeros() as usize % self.sets.ways,
            Form::Tree => {
                let (mut first, mut end) = (0, self.sets.ways);
                while end - first > 1 {
                    let middle = usize::midpoint(first, end);
                    if bits >> middle & 1 == 1 {
                        first = middle;
                    } else {
                        end = middle;
                    }
                }
                first
            }
        }
    }

    pub(super) fn drop_where(&mut self, goes: &dyn Fn(Entry) -> bool) {
        for entry in &mut self.entries {
            if *entry != Entry::EMPTY && goes(*entry) {
                *entry = Entry::EMPTY;
            }
        }
    }
}
