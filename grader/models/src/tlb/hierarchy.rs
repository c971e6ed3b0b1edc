//! Both levels together, and the walker behind them.

use super::{Counts, Entry, Level, Machine, PageSize, Side, array::Array, walker::Walker};
use crate::trace::AccessKind;
use alloc::vec::Vec;

/// Where an access found its translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// In the first level.
    First,
    /// In the second level.
    Second,
    /// Nowhere: the page tables were walked.
    Walk {
        /// Entries read from the tables, 1 to 4.
        levels: u8,
    },
}

/// A core's translation hardware at work.
#[derive(Clone, Debug)]
pub struct Tlb {
    arrays: Vec<Array>,
    /// By kind and page size.
    first: [[Option<usize>; 3]; 3],
    /// By kind and page size: the array, and the size as which it holds the page.
    second: [[Option<(usize, PageSize)>; 3]; 3],
    walker: Walker,
    counts: Counts,
}

impl Tlb {
    /// Empty arrays.
    ///
    /// # Panics
    ///
    /// If the machine has a [`Machine::fault`].
    #[must_use]
    pub fn new(machine: &Machine<'_>) -> Self {
        if let Some(fault) = machine.fault() {
            panic!("the machine {}: {fault}", machine.name);
        }
        let second = |kind, size| {
            let array = |size| {
                let array = machine.array_for(Level::Second, kind, size)?;
                Some((array, size))
            };
            let split = machine.splits_giant_pages && size == PageSize::Giant;
            array(size).or_else(|| array(PageSize::Huge).filter(|_| split))
        };
        let table = |kind: AccessKind| PageSize::ALL.map(|size| second(kind, size));
        Self {
            arrays: machine.arrays.iter().map(Array::new).collect(),
            first: AccessKind::ALL
                .map(|kind| PageSize::ALL.map(|size| machine.array_for(Level::First, kind, size))),
            second: AccessKind::ALL.map(table),
            walker: Walker::new(machine.walk_caches),
            counts: Counts::default(),
        }
    }

    /// Translates one access to the page of `size` at `address`.
    #[inline]
    pub fn access(&mut self, kind: AccessKind, address: u64, size: PageSize) -> Found {
        let found = self.translate(kind, address, size);
        self.counts.count(Side::of(kind), size, found);
        found
    }

    /// Counts `accesses` that directly follow one of the same kind to the same page. They find it
    /// in the first level, where it was used last: nothing else changes.
    pub fn repeat(&mut self, kind: AccessKind, size: PageSize, accesses: u64) {
        self.counts.count_hits(Side::of(kind), size, accesses);
    }

    #[inline]
    fn translate(&mut self, kind: AccessKind, address: u64, size: PageSize) -> Found {
        let first = self.first[kind.index()][size.index()];
        let entry = Entry::of(address, size);
        if let Some(first) = first
            && self.arrays[first].find(entry)
        {
            return Found::First;
        }
        let found = self.look_further(kind, address, size);
        if let Some(first) = first {
            self.arrays[first].insert(entry);
        }
        found
    }

    fn look_further(&mut self, kind: AccessKind, address: u64, size: PageSize) -> Found {
        let second = self.second[kind.index()][size.index()];
        if let Some((second, held_as)) = second {
            let entry = Entry::of(address, held_as);
            if self.arrays[second].find(entry) {
                return Found::Second;
            }
            self.arrays[second].insert(entry);
        }
        Found::Walk {
            levels: self.walker.walk(address, size),
        }
    }

    /// The mappings of the bytes `first ..= last` changed: their translations are dropped.
    pub fn drop_range(&mut self, first: u64, last: u64) {
        for array in &mut self.arrays {
            array.drop_where(&|entry| entry.meets(first, last));
        }
        self.walker.drop_range(first, last);
    }

    /// What was counted so far.
    #[must_use]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }
}
