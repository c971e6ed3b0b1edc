//! Occupied slots of the time axis: occupy the next, empty one, and count those after a given time.
//!
//! One bit per slot, and above the words three levels of sums. A sum says how many slots are
//! occupied before it within its group, so counting is one look at each level and a popcount, near
//! or far. Emptying a slot lowers the later sums of three groups, each of which is one cache line
//! and a handful of vector instructions. Occupying touches no sum at all: slots are occupied in
//! order, so a sum is written when its first slot is reached. Nothing of it depends on a branch
//! that a processor would have to guess, except that a very long axis takes a few groups more.

use alloc::vec;
use alloc::vec::Vec;

const WORD_BITS: u32 = 6;
/// Log2 of the slots in a sheaf, which is 32 words.
const SHEAF_BITS: u32 = WORD_BITS + 5;
/// Log2 of the slots in a span, which is 32 sheaves.
const SPAN_BITS: u32 = SHEAF_BITS + 5;
const SPAN_WORDS: usize = 1 << (SPAN_BITS - WORD_BITS);

/// Sums of one group: a cache line of them.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Group<T, const N: usize>([T; N]);

/// The slots of a span and the sums within it: 10 304 bytes for 65 536 slots.
#[derive(Clone)]
struct Span {
    words: [u64; SPAN_WORDS],
    /// Occupied slots before each word in its sheaf.
    before_word: [Group<u16, 32>; 32],
    /// Occupied slots before each sheaf.
    before_sheaf: Group<u16, 32>,
}

impl Group<u16, 32> {
    /// Lowers the sums by those of `less`, modulo 2¹⁶.
    #[inline(always)]
    fn lower(&mut self, less: &Self) {
        // By way of a copy, or the compiler would not know that the two do not overlap and would
        // go through them one by one.
        self.0 = core::array::from_fn(|place| self.0[place].wrapping_sub(less.0[place]));
    }
}

impl Group<u32, 16> {
    /// Lowers the sums by those of `less`, modulo 2³².
    #[inline(always)]
    fn lower(&mut self, less: &Self) {
        self.0 = core::array::from_fn(|place| self.0[place].wrapping_sub(less.0[place]));
    }
}

/// Row `n` has ones after place `n`: what emptying a slot under sum `n` takes from a group.
///
/// A table, because what compilers make of `u16::from(place > n)` writes the group in pieces that
/// later loads cannot be served from.
static AFTER_OF_32: [Group<u16, 32>; 32] = {
    let mut rows = [Group([0; 32]); 32];
    let mut row = 0;
    while row < 32 {
        let mut place = row + 1;
        while place < 32 {
            rows[row].0[place] = 1;
            place += 1;
        }
        row += 1;
    }
    rows
};

/// As [`AFTER_OF_32`], for the groups of sixteen.
static AFTER_OF_16: [Group<u32, 16>; 16] = {
    let mut rows = [Group([0; 16]); 16];
    let mut row = 0;
    while row < 16 {
        let mut place = row + 1;
        while place < 16 {
            rows[row].0[place] = 1;
            place += 1;
        }
        row += 1;
    }
    rows
};

/// Ones at all sixteen places.
static ALL_OF_16: Group<u32, 16> = Group([1; 16]);

/// The time axis. Slot 0 is never occupied, so that 0 can mean "never".
pub(super) struct LiveSlots {
    spans: Vec<Span>,
    /// Occupied slots before each span.
    before_span: Vec<Group<u32, 16>>,
    newest: u32,
    limit: u32,
    live: u32,
}

impl LiveSlots {
    /// An empty axis of `limit` slots.
    pub(super) fn new(limit: u32) -> Self {
        let empty = Span {
            words: [0; SPAN_WORDS],
            before_word: [Group([0; 32]); 32],
            before_sheaf: Group([0; 32]),
        };
        let spans = limit.div_ceil(1 << SPAN_BITS) as usize;
        Self {
            spans: vec![empty; spans],
            before_span: vec![Group([0; 16]); spans.div_ceil(16)],
            newest: 0,
            limit,
            live: 0,
        }
    }

    /// Occupied slots.
    pub(super) fn live(&self) -> u32 {
        self.live
    }

    /// The slot of the latest use; 0 before any.
    #[inline]
    pub(super) fn newest(&self) -> u32 {
        self.newest
    }

    /// True if no slot is left after the newest.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.newest + 1 >= self.limit
    }

    pub(super) fn memory_bytes(&self) -> usize {
        size_of_val(&*self.spans) + size_of_val(&*self.before_span)
    }

    /// Occupies the next slot and returns it.
    #[inline]
    pub(super) fn push(&mut self) -> u32 {
        let slot = self.newest + 1;
        if slot.trailing_zeros() >= WORD_BITS {
            self.start_word(slot);
        }
        self.spans[slot as usize >> SPAN_BITS].words[word_in_span(slot)] |= 1 << (slot % 64);
        self.newest = slot;
        self.live += 1;
        slot
    }

    /// Empties an occupied slot.
    #[inline]
    pub(super) fn clear(&mut self, slot: u32) {
        self.live -= 1;
        // Sums that are not reached yet become wrong here and are written when they are.
        let span = &mut self.spans[slot as usize >> SPAN_BITS];
        let (word, sheaf) = (word_in_span(slot), sheaf_in_span(slot));
        debug_assert!(
            span.words[word] >> (slot % 64) & 1 == 1,
            "slot {slot} is empty"
        );
        span.words[word] &= !(1 << (slot % 64));
        span.before_word[sheaf].lower(&AFTER_OF_32[word % 32]);
        if slot >> SHEAF_BITS == self.newest >> SHEAF_BITS {
            return;
        }
        span.before_sheaf.lower(&AFTER_OF_32[sheaf]);

        let (group, place) = (
            slot as usize >> SPAN_BITS >> 4,
            slot as usize >> SPAN_BITS & 15,
        );
        let mut less = &AFTER_OF_16[place];
        for sums in &mut self.before_span[group..] {
            sums.lower(less);
            less = &ALL_OF_16;
        }
    }

    /// Occupied slots up to and with `slot`, which is no later than the newest.
    #[inline(always)]
    pub(super) fn count_to(&self, slot: u32) -> u32 {
        let at = slot as usize >> SPAN_BITS;
        let span = &self.spans[at];
        let (word, sheaf) = (word_in_span(slot), sheaf_in_span(slot));
        (span.words[word] << (63 - slot % 64)).count_ones()
            + u32::from(span.before_word[sheaf].0[word % 32])
            + u32::from(span.before_sheaf.0[sheaf])
            + self.before_span[at >> 4].0[at & 15]
    }

    /// Occupied slots after `slot`.
    #[inline(always)]
    pub(super) fn count_after(&self, slot: u32) -> u32 {
        self.live - self.count_to(slot)
    }

    /// Moves the occupied slots together on an axis of `limit` slots; returns the old axis.
    ///
    /// A time `t` of the old axis, occupied or not, is `old.count_to(t) + 1` on the new one, which
    /// keeps what [`LiveSlots::count_after`] says of it.
    pub(super) fn compact(&mut self, limit: u32) -> Self {
        let old = core::mem::replace(self, Self::new(limit));
        // Slot 1 stays empty: it is where times go that are older than every occupied slot.
        self.newest = 1;
        for _ in 0..old.live {
            self.push();
        }
        old
    }

    /// Writes the sums that `slot`, the first of its word, is the first to need.
    #[inline]
    fn start_word(&mut self, slot: u32) {
        let at = slot as usize >> SPAN_BITS;
        let span = &mut self.spans[at];
        let (word, sheaf) = (word_in_span(slot), sheaf_in_span(slot));
        let mut before = self.live;

        let before_span = &mut self.before_span[at >> 4].0[at & 15];
        if slot.trailing_zeros() >= SPAN_BITS {
            *before_span = before;
        }
        before -= *before_span;
        let before_sheaf = &mut span.before_sheaf.0[sheaf];
        if slot.trailing_zeros() >= SHEAF_BITS {
            *before_sheaf = below_a_span(before);
        }
        before -= u32::from(*before_sheaf);
        span.before_word[sheaf].0[word % 32] = below_a_span(before);
    }
}

#[inline(always)]
const fn word_in_span(slot: u32) -> usize {
    (slot >> WORD_BITS) as usize % SPAN_WORDS
}

#[inline(always)]
const fn sheaf_in_span(slot: u32) -> usize {
    (slot >> SHEAF_BITS) as usize % 32
}

/// A sum before a sheaf or word of a span: at most 31 sheaves of 2048 slots.
#[expect(clippy::cast_possible_truncation, reason = "31 × 2048 is below 2^16")]
const fn below_a_span(sum: u32) -> u16 {
    debug_assert!(sum <= 31 << SHEAF_BITS);
    sum as u16
}
