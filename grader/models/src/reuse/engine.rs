//! The engine: one call per touched line, two distances back.

use core::marker::PhantomData;

use super::last_use::LastUse;
use super::slots::LiveSlots;
use super::{Distances, Unit};

/// Slots of the time axis per occupied one after a compaction.
///
/// A compaction visits every address ever touched; with sixteen slots a unit, each new slot pays
/// for one such visit at most, at a cost of two bytes a unit.
const SLOTS_PER_UNIT: usize = 16;
/// The shortest axis: 16 KiB of bitmap, which stays in the L1 cache.
const MIN_SLOTS: usize = 1 << 17;
/// Times are `u32`.
const MAX_SLOTS: usize = u32::MAX as usize;

/// Exact reuse distances of a stream of accesses, counted in units of `U`.
///
/// ```
/// use models::reuse::{Lines, ReuseDistance};
///
/// let mut reuse = ReuseDistance::<Lines>::new();
/// assert_eq!(reuse.access(0).nearest(), None); // first touch of the line
/// reuse.access(64);
/// reuse.access(128);
/// let distances = reuse.access(0);
/// assert_eq!(distances.temporal, Some(2)); // two other lines since
/// assert_eq!(distances.spatial, None); // no other address of the line was used
/// assert_eq!(reuse.access(8).spatial, Some(0));
/// ```
pub struct ReuseDistance<U> {
    slots: LiveSlots,
    last_use: LastUse,
    /// The last distance counted, valid while accesses stay in one line: no unit moves meanwhile.
    counted: Counted,
    min_slots: usize,
    slots_per_unit: usize,
    unit: PhantomData<U>,
}

#[derive(Clone, Copy, Default)]
struct Counted {
    since: u32,
    distance: u32,
}

impl<U: Unit> ReuseDistance<U> {
    /// An engine that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::with_axis(MIN_SLOTS, SLOTS_PER_UNIT)
    }

    /// As [`ReuseDistance::new`]; tests shorten the axis so that short traces compact it.
    pub(super) fn with_axis(min_slots: usize, slots_per_unit: usize) -> Self {
        assert!(
            min_slots > 2 && slots_per_unit > 1,
            "a compaction must free slots"
        );
        Self {
            slots: LiveSlots::new(min_slots),
            last_use: LastUse::new(),
            counted: Counted::default(),
            min_slots,
            slots_per_unit,
            unit: PhantomData,
        }
    }

    /// The next access of the program, at its first byte.
    ///
    /// An access that crosses into another line is a call for each line.
    ///
    /// # Panics
    ///
    /// If the program touches 2³² units: 256 GiB in lines.
    #[inline]
    pub fn access(&mut self, address: u64) -> Distances {
        if self.slots.is_full() {
            self.compact();
        }
        let earlier = self.last_use.touch(address);
        // The slot that this access's own unit holds.
        let own = if U::LINES {
            earlier.same.max(earlier.other)
        } else {
            earlier.same
        };
        let newest = self.slots.newest();
        let distances = Distances {
            temporal: self.distance(earlier.same, own),
            spatial: self.distance(earlier.other, own),
        };
        if own == newest && own != 0 {
            self.last_use.set(&earlier, newest);
            return distances;
        }
        if own != 0 {
            self.slots.clear(own);
        }
        self.counted = Counted {
            since: earlier.same,
            distance: distances.temporal.unwrap_or_default(),
        };
        let slot = self.slots.push();
        self.last_use.set(&earlier, slot);
        distances
    }

    /// Distinct units touched so far.
    #[must_use]
    pub fn units(&self) -> u32 {
        self.slots.live()
    }

    /// Bytes this engine holds at present.
    ///
    /// At most 4.2 times the touched pages of the program plus 64 KiB, and 0.6 times where it
    /// touches only multiples of eight; a compaction holds a second time axis for a moment.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.slots.memory_bytes() + self.last_use.memory_bytes()
    }

    /// Units other than the one at `own` touched after `since`.
    #[inline]
    fn distance(&mut self, since: u32, own: u32) -> Option<u32> {
        if since == 0 {
            return None;
        }
        if U::LINES && own == self.slots.newest() {
            if since == own {
                return Some(0);
            }
            if since != self.counted.since {
                self.counted = Counted {
                    since,
                    distance: self.slots.count_after(since) - 1,
                };
            }
            return Some(self.counted.distance);
        }
        Some(self.slots.count_after(since) - u32::from(own > since))
    }

    #[cold]
    #[inline(never)]
    fn compact(&mut self) {
        let live = self.slots.live() as usize;
        let limit = (live * self.slots_per_unit).clamp(self.min_slots, MAX_SLOTS);
        assert!(
            live + 2 < limit,
            "the program touched too much to count: {live} {}",
            U::NAME
        );
        let moved = self.slots.compact(limit);
        self.last_use.remap(&moved);
        self.counted = Counted::default();
    }
}

impl<U: Unit> Default for ReuseDistance<U> {
    fn default() -> Self {
        Self::new()
    }
}
