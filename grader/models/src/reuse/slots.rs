//! Occupied slots of the time axis: set, clear, and count those after a given time.
//!
//! One bit per slot, and above it three levels of counters, each for sixteen (the lowest: eight
//! words) of what lies below. A count climbs from its slot to the level where the newest slot
//! falls into the same group, and stops there: near distances, the common ones, never leave the
//! words, and the farthest costs some fifty additions.

use alloc::vec;
use alloc::vec::Vec;

const WORD_SLOTS: usize = 64;
const BLOCK_WORDS: usize = 8;
const GROUP: usize = 16;
const BLOCK_SLOTS: usize = WORD_SLOTS * BLOCK_WORDS;
const SPAN_SLOTS: usize = BLOCK_SLOTS * GROUP;
/// The axis is a whole number of these.
pub(super) const REGION_SLOTS: usize = SPAN_SLOTS * GROUP;

/// The time axis. Slot 0 is never used, so that 0 can mean "never".
pub(super) struct LiveSlots {
    words: Vec<u64>,
    blocks: Vec<u16>,
    spans: Vec<u16>,
    regions: Vec<u32>,
    newest: usize,
    limit: usize,
    live: u32,
}

impl LiveSlots {
    /// An empty axis of `limit` slots.
    pub(super) fn new(limit: usize) -> Self {
        let slots = limit.next_multiple_of(REGION_SLOTS);
        Self {
            words: vec![0; slots / WORD_SLOTS],
            blocks: vec![0; slots / BLOCK_SLOTS],
            spans: vec![0; slots / SPAN_SLOTS],
            regions: vec![0; slots / REGION_SLOTS],
            newest: 0,
            limit,
            live: 0,
        }
    }

    pub(super) fn live(&self) -> u32 {
        self.live
    }

    /// The slot of the latest use; 0 before any.
    #[inline]
    pub(super) fn newest(&self) -> u32 {
        as_slot(self.newest)
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.words.capacity() * 8
            + self.blocks.capacity() * 2
            + self.spans.capacity() * 2
            + self.regions.capacity() * 4
    }

    /// True if no slot is left after the newest.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.newest + 1 >= self.limit
    }

    /// Occupies the next slot and returns it.
    #[inline]
    pub(super) fn push(&mut self) -> u32 {
        let slot = self.newest + 1;
        self.words[slot / WORD_SLOTS] |= 1 << (slot % WORD_SLOTS);
        self.blocks[slot / BLOCK_SLOTS] += 1;
        self.spans[slot / SPAN_SLOTS] += 1;
        self.regions[slot / REGION_SLOTS] += 1;
        self.newest = slot;
        self.live += 1;
        as_slot(slot)
    }

    /// Empties an occupied slot.
    #[inline]
    pub(super) fn clear(&mut self, slot: u32) {
        let slot = slot as usize;
        debug_assert!(self.words[slot / WORD_SLOTS] >> (slot % WORD_SLOTS) & 1 == 1);
        self.words[slot / WORD_SLOTS] &= !(1 << (slot % WORD_SLOTS));
        self.blocks[slot / BLOCK_SLOTS] -= 1;
        self.spans[slot / SPAN_SLOTS] -= 1;
        self.regions[slot / REGION_SLOTS] -= 1;
        self.live -= 1;
    }

    /// Occupied slots after `slot`.
    #[inline]
    pub(super) fn count_after(&self, slot: u32) -> u32 {
        let word = slot as usize / WORD_SLOTS;
        let newest_word = self.newest / WORD_SLOTS;
        // Two shifts: the slot's own bit goes too, and a shift by 64 would be an error.
        let mut count = (self.words[word] >> (slot as usize % WORD_SLOTS) >> 1).count_ones();

        let end = (word / BLOCK_WORDS + 1) * BLOCK_WORDS;
        if end > newest_word {
            return count + popcount(&self.words[word + 1..=newest_word.max(word)]);
        }
        count += popcount(&self.words[word + 1..end]);

        let (block, newest_block) = (word / BLOCK_WORDS, newest_word / BLOCK_WORDS);
        let end = (block / GROUP + 1) * GROUP;
        if end > newest_block {
            return count + sum(&self.blocks[block + 1..=newest_block]);
        }
        count += sum(&self.blocks[block + 1..end]);

        let (span, newest_span) = (block / GROUP, newest_block / GROUP);
        let end = (span / GROUP + 1) * GROUP;
        if end > newest_span {
            return count + sum(&self.spans[span + 1..=newest_span]);
        }
        count += sum(&self.spans[span + 1..end]);

        let (region, newest_region) = (span / GROUP, newest_span / GROUP);
        count + self.regions[region + 1..=newest_region].iter().sum::<u32>()
    }

    /// Moves the occupied slots together on an axis of `limit` slots, more than are occupied.
    ///
    /// The returned map takes every time of the old axis to the new one and keeps what
    /// `count_after` says about it.
    pub(super) fn compact(&mut self, limit: usize) -> Moved {
        let mut before = Vec::with_capacity(self.words.len());
        let mut occupied = 0;
        for word in &self.words {
            before.push(occupied);
            occupied += word.count_ones();
        }
        let live = self.live;
        let old = core::mem::replace(self, Self::new(limit));
        // Slot 1 stays empty: it is where times older than every occupied slot go.
        self.newest = 1;
        for _ in 0..live {
            self.push();
        }
        Moved {
            words: old.words,
            before,
        }
    }
}

/// The map from times before a compaction to times after it.
pub(super) struct Moved {
    words: Vec<u64>,
    /// Occupied slots before each word.
    before: Vec<u32>,
}

impl Moved {
    /// The new time of an old `slot`, occupied or not.
    #[inline]
    pub(super) fn slot(&self, slot: u32) -> u32 {
        let word = slot as usize / WORD_SLOTS;
        let up_to = self.words[word] << (WORD_SLOTS - 1 - slot as usize % WORD_SLOTS);
        self.before[word] + up_to.count_ones() + 1
    }
}

#[inline]
fn popcount(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

#[inline]
fn sum(counters: &[u16]) -> u32 {
    counters.iter().map(|&counter| u32::from(counter)).sum()
}

#[inline]
fn as_slot(slot: usize) -> u32 {
    u32::try_from(slot).expect("the axis is never longer than u32 can count: see `axis_slots`")
}
