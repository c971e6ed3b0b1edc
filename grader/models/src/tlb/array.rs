//! One array of entries: the part that all forms have in common.

use super::{
    Entry, Index, Policy, TlbArray, indexed::Indexed, pseudo_lru::PseudoLru, scanned::Scanned,
};

/// Up to here the entries of a set are compared one after the other.
const SCANNED_WAYS: u32 = 24;

/// An array in the form that suits its ways and its policy.
#[derive(Clone, Debug)]
pub(super) enum Array {
    Scanned(Scanned),
    Indexed(Indexed),
    Pseudo(PseudoLru),
}

/// Sets of ways, and which set a page belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sets {
    pub(super) count: u64,
    pub(super) ways: usize,
    index: Index,
    /// Count minus one if the count is a power of two: then a mask does what a division would.
    mask: Option<u64>,
}

impl Sets {
    pub(super) fn new(entries: u32, ways: u32, index: Index) -> Self {
        let count = u64::from(entries / ways);
        Self {
            count,
            ways: ways as usize,
            index,
            mask: count.is_power_of_two().then(|| count - 1),
        }
    }

    /// The set of a page, from 0.
    #[inline]
    pub(super) fn of(&self, entry: Entry) -> usize {
        let number = match self.index {
            Index::Modulo => entry.number(),
            Index::Fold => {
                let bits = u64::BITS - (self.count - 1).leading_zeros();
                entry.number() ^ (entry.number() >> bits)
            }
        };
        let set = match self.mask {
            Some(mask) => number & mask,
            None => number % self.count,
        };
        usize::try_from(set).unwrap_or(0)
    }

    /// Entries of all sets.
    pub(super) fn entries(&self) -> usize {
        usize::try_from(self.count).unwrap_or(0) * self.ways
    }
}

impl Array {
    pub(super) fn new(spec: &TlbArray) -> Self {
        let sets = Sets::new(spec.entries, spec.ways, spec.index);
        match spec.policy {
            Policy::Lru if spec.ways <= SCANNED_WAYS => Self::Scanned(Scanned::new(sets)),
            Policy::Lru => Self::Indexed(Indexed::new(sets)),
            Policy::TreePseudoLru => Self::Pseudo(PseudoLru::tree(sets)),
            Policy::BitPseudoLru => Self::Pseudo(PseudoLru::bits(sets)),
        }
    }

    /// Fully associative with true LRU.
    pub(super) fn associative(entries: u32) -> Self {
        let sets = Sets::new(entries, entries, Index::Modulo);
        if entries <= SCANNED_WAYS {
            Self::Scanned(Scanned::new(sets))
        } else {
            Self::Indexed(Indexed::new(sets))
        }
    }

    /// Uses the entry; false if it is not there.
    #[inline]
    pub(super) fn find(&mut self, entry: Entry) -> bool {
        match self {
            Self::Scanned(array) => array.find(entry),
            Self::Indexed(array) => array.find(entry),
            Self::Pseudo(array) => array.find(entry),
        }
    }

    /// Puts in and uses an entry that is not there.
    #[inline]
    pub(super) fn insert(&mut self, entry: Entry) {
        match self {
            Self::Scanned(array) => array.insert(entry),
            Self::Indexed(array) => array.insert(entry),
            Self::Pseudo(array) => array.insert(entry),
        }
    }

    /// Drops the entries that `goes` picks.
    pub(super) fn drop_where(&mut self, goes: &dyn Fn(Entry) -> bool) {
        match self {
            Self::Scanned(array) => array.drop_where(goes),
            Self::Indexed(array) => array.drop_where(goes),
            Self::Pseudo(array) => array.drop_where(goes),
        }
    }
}
