//! The page walker: how many levels of the page tables a walk reads.
//!
//! Four levels lead to a 4 KB page, three to a 2 MB page and two to a 1 GB page. The entry of the
//! last level goes into the TLB; entries of the levels above go into the walker's caches, and a walk
//! starts below the lowest level that it finds there. Five-level tables, which Linux uses only for
//! programs that ask, are left out.

use super::{Entry, PageSize, WalkCache, array::Array};
use alloc::vec::Vec;

/// log2 of the bytes that one entry covers, for the levels above the last, lowest first.
const UPPER_LEVELS: [u32; 3] = [21, 30, 39];

/// The walker's caches.
#[derive(Clone, Debug)]
pub(super) struct Walker {
    caches: Vec<Array>,
    /// By upper level: the cache that holds its entries.
    holds: [Option<usize>; 3],
}

impl Walker {
    pub(super) fn new(caches: &[WalkCache]) -> Self {
        Self {
            caches: caches
                .iter()
                .map(|cache| Array::associative(cache.entries))
                .collect(),
            holds: UPPER_LEVELS.map(|shift| {
                caches
                    .iter()
                    .position(|cache| cache.levels.contains(&shift))
            }),
        }
    }

    /// An upper level's entry, as the caches hold it: a number, and its level below.
    fn entry(address: u64, level: usize) -> Entry {
        Entry((address >> UPPER_LEVELS[level]) << 2 | level as u64)
    }

    /// Walks to the page of `size` at `address`; returns the entries read from the tables.
    pub(super) fn walk(&mut self, address: u64, size: PageSize) -> u8 {
        let lowest = size.index();
        let mut read = 1;
        let mut level = lowest;
        while level < UPPER_LEVELS.len() {
            let entry = Self::entry(address, level);
            let cache = self.holds[level].and_then(|cache| self.caches.get_mut(cache));
            if cache.is_some_and(|cache| cache.find(entry)) {
                break;
            }
            read += 1;
            level += 1;
        }
        // The walk goes down, so the lowest level is the most recent.
        for missed in (lowest..level).rev() {
            let cache = self.holds[missed].and_then(|cache| self.caches.get_mut(cache));
            if let Some(cache) = cache {
                cache.insert(Self::entry(address, missed));
            }
        }
        read
    }

    /// Forgets everything: the tables changed.
    pub(super) fn drop_range(&mut self, first: u64, last: u64) {
        let goes = |entry: Entry| {
            let shift = UPPER_LEVELS.get((entry.0 & 3) as usize).copied();
            let shift = shift.unwrap_or_default();
            (first >> shift..=last >> shift).contains(&entry.number())
        };
        for cache in &mut self.caches {
            cache.drop_where(&goes);
        }
    }
}
