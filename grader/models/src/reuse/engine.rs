//! The engine: one call per touched line, two distances back.

use core::marker::PhantomData;

use super::last_use::LastUse;
use super::slots::LiveSlots;
use super::{Distances, Unit};

/// Slots of the time axis per occupied one after a compaction.
///
/// A compaction visits every address ever touched; with this many slots a unit, each new slot pays
/// for one such visit or less.
const SLOTS_PER_UNIT: u32 = 16;
/// The shortest axis: 16 KiB of bitmap, which stays in the L1 cache.
const MIN_SLOTS: u32 = 1 << 17;

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
    min_slots: u32,
    slots_per_unit: u32,
    unit: PhantomData<U>,
}

impl<U: Unit> ReuseDistance<U> {
    /// An engine that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::with_axis(MIN_SLOTS, SLOTS_PER_UNIT)
    }

    /// As [`ReuseDistance::new`]; tests shorten the axis so that short traces compact it.
    pub(super) fn with_axis(min_slots: u32, slots_per_unit: u32) -> Self {
        assert!(
            min_slots > 2 && slots_per_unit > 1,
            "a compaction must free slots"
        );
        Self {
            slots: LiveSlots::new(min_slots),
            last_use: LastUse::new(),
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
        let mut line = self.last_use.line(address);
        let (same, other) = line.earlier();
        // The slot that this access's own unit holds, which counts for neither distance.
        let own = if U::LINES { same.max(other) } else { same };
        let distance = |since: u32| {
            (since != 0).then(|| self.slots.count_after(since) - u32::from(own > since))
        };
        if own != 0 && own == self.slots.newest() {
            // The unit of the access before: it keeps its slot, and one distance is mostly zero.
            let distance = |since| {
                if since == own {
                    Some(0)
                } else {
                    distance(since)
                }
            };
            let distances = Distances {
                temporal: distance(same),
                spatial: distance(other),
            };
            line.set(own);
            return distances;
        }
        let distances = Distances {
            temporal: distance(same),
            spatial: distance(other),
        };
        if own != 0 {
            self.slots.clear(own);
        }
        line.set(self.slots.push());
        distances
    }

    /// Distinct units touched so far.
    #[must_use]
    pub fn units(&self) -> u32 {
        self.slots.live()
    }

    /// Bytes this engine holds at present.
    ///
    /// For each touched page at most 4.1 times its size, and 0.6 times where only multiples of
    /// eight are touched; 4 KiB for each 4 MiB of addresses that hold one; 2.5 bytes for each unit
    /// ever touched; and 64 KiB. A compaction holds a second time axis for a moment.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.slots.memory_bytes() + self.last_use.memory_bytes()
    }

    #[cold]
    #[inline(never)]
    fn compact(&mut self) {
        let live = self.slots.live();
        let limit = live.saturating_mul(self.slots_per_unit).max(self.min_slots);
        assert!(
            live < limit - 2,
            "the program touched too much to count: {live} {}",
            U::NAME
        );
        let old = self.slots.compact(limit);
        self.last_use.remap(&old);
    }
}

impl<U: Unit> Default for ReuseDistance<U> {
    fn default() -> Self {
        Self::new()
    }
}
