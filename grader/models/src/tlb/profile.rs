//! The model with a memory: counts by mapping, and the working set over time.

use super::{Counts, Found, Machine, PageSize, Side, Tlb};
use crate::{
    footprint::{Footprint, Touched},
    trace::AccessKind,
};
use alloc::vec::Vec;

/// Distinct pages used in an interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkingSet {
    /// Pages fetched from, by [`PageSize::index`].
    pub instruction: [u64; 3],
    /// Pages loaded from or stored to, by [`PageSize::index`].
    pub data: [u64; 3],
}

impl WorkingSet {
    /// Entries that would hold them all, on one side.
    #[must_use]
    pub fn pages(&self, side: Side) -> u64 {
        match side {
            Side::Instruction => self.instruction.iter().sum(),
            Side::Data => self.data.iter().sum(),
        }
    }
}

/// A [`Tlb`] that attributes what it counts.
#[derive(Clone, Debug)]
pub struct TlbProfile {
    tlb: Tlb,
    by_mapping: Vec<Counts>,
    /// By [`PageSize::index`]; `None` if no working set is wanted.
    touched: Option<[Footprint; 3]>,
}

impl TlbProfile {
    /// Nothing counted yet; `working_set` says whether [`Self::end_interval`] will be asked.
    ///
    /// # Panics
    ///
    /// If the machine has a [`Machine::fault`].
    #[must_use]
    pub fn new(machine: &Machine<'_>, working_set: bool) -> Self {
        let footprint = |size: PageSize| Footprint::new(size.shift());
        Self {
            tlb: Tlb::new(machine),
            by_mapping: Vec::new(),
            touched: working_set.then(|| PageSize::ALL.map(footprint)),
        }
    }

    fn of_mapping(&mut self, mapping: usize) -> &mut Counts {
        if mapping >= self.by_mapping.len() {
            self.by_mapping.resize(mapping + 1, Counts::default());
        }
        &mut self.by_mapping[mapping]
    }

    /// Translates an access to a page of `size` that belongs to the mapping of that number.
    #[inline]
    pub fn access(
        &mut self,
        kind: AccessKind,
        address: u64,
        size: PageSize,
        mapping: usize,
    ) -> Found {
        let found = self.tlb.access(kind, address, size);
        self.of_mapping(mapping).count(Side::of(kind), size, found);
        if let Some(touched) = &mut self.touched {
            touched[size.index()].range(address, 1, kind);
        }
        found
    }

    /// Counts accesses that directly follow one of the same kind to the same page.
    pub fn repeat(&mut self, kind: AccessKind, size: PageSize, mapping: usize, accesses: u64) {
        self.tlb.repeat(kind, size, accesses);
        self.of_mapping(mapping)
            .count_hits(Side::of(kind), size, accesses);
    }

    /// The mappings of the bytes `first ..= last` changed.
    pub fn drop_range(&mut self, first: u64, last: u64) {
        self.tlb.drop_range(first, last);
    }

    /// Ends an interval: the pages that were used in it.
    pub fn end_interval(&mut self) -> WorkingSet {
        let Some(touched) = &mut self.touched else {
            return WorkingSet::default();
        };
        let ended = touched.each_mut().map(Footprint::end_interval);
        WorkingSet {
            instruction: ended.map(|touched: Touched| touched.code()),
            data: ended.map(|touched: Touched| touched.any() - touched.code_only()),
        }
    }

    /// All counts together.
    #[must_use]
    pub fn counts(&self) -> &Counts {
        self.tlb.counts()
    }

    /// The counts of each mapping, by its number.
    #[must_use]
    pub fn by_mapping(&self) -> &[Counts] {
        &self.by_mapping
    }
}
