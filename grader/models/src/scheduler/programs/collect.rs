//! Sorting items into buckets: blocks find the bucket of each item, then move the items.
//!
//! Shared by aware samplesort (many buckets, a binary search per item) and quad-tree (four).

use alloc::vec::Vec;

use super::parts::Array;
use crate::scheduler::program::Script;

/// Blocks at most, and items per block below that.
const MOST_BLOCKS: u64 = 126;

/// How a collection is laid out and what it costs.
#[derive(Clone, Debug)]
pub(crate) struct Collector {
    /// Where a bucket number per item is kept.
    pub(crate) bucket_of: Array,
    /// Items per block when there are few.
    pub(crate) block: u64,
    /// Cycles to find the bucket of one item.
    pub(crate) find_cycles: u64,
    /// Cycles to move one item.
    pub(crate) move_cycles: u64,
}

impl Collector {
    pub(crate) fn blocks(&self, count: u64) -> u64 {
        (1 + count / self.block).min(MOST_BLOCKS)
    }

    fn block_range(&self, count: u64, block: u64) -> (u64, u64) {
        let blocks = self.blocks(count);
        (count * block / blocks, count * (block + 1) / blocks)
    }

    /// One block of the first pass.
    pub(crate) fn find<S>(
        &self,
        from: Array,
        (first, count): (u64, u64),
        block: u64,
        script: &mut Script<S>,
    ) {
        let (start, end) = self.block_range(count, block);
        let items = end - start;
        script.stream(
            &[
                from.read(first + start, items),
                self.bucket_of.write(first + start, items),
            ],
            items * self.find_cycles,
        );
    }

    /// One block of the second pass. `starts` holds where each bucket starts within the range, and
    /// the count at its end; each block has its even share of every bucket.
    pub(crate) fn relocate<S>(
        &self,
        (from, to): (Array, Array),
        (first, count): (u64, u64),
        block: u64,
        starts: &[u64],
        script: &mut Script<S>,
    ) {
        let (start, end) = self.block_range(count, block);
        let items = end - start;
        let blocks = self.blocks(count);
        let mut ranges = Vec::with_capacity(starts.len() + 1);
        ranges.push(from.read(first + start, items));
        ranges.push(self.bucket_of.read(first + start, items));
        for bucket in starts.windows(2) {
            let size = bucket[1] - bucket[0];
            let (lo, hi) = (size * block / blocks, size * (block + 1) / blocks);
            if hi > lo {
                ranges.push(to.write(first + bucket[0] + lo, hi - lo));
            }
        }
        script.stream(&ranges, items * self.move_cycles);
    }
}
