//! The footprint of a program: how much distinct memory it touches, interval by interval.
//!
//! The unit is a cache line, a page, or any other power of two. An interval's [`Touched`] counts
//! each unit once, however often it was touched, and keeps apart by what it was touched: loads,
//! stores and instruction fetches, alone or in combination. `new` counts the units that no earlier
//! interval touched; it alone adds up over intervals, to the total footprint.
//!
//! A footprint says nothing of bandwidth (how often a unit was touched), of cache hits, or of order.
//!
//! [`Footprint`] is the fast form: one word of state per unit, in chunks found by address, and no
//! hashing. [`naive`] is the same thing as sets, to read and to test against.

mod chunks;
pub mod naive;
mod touched;

pub use touched::Touched;

use crate::trace::{Access, AccessKind, units};
use chunks::Chunks;

/// Bits of a set of kinds.
const KIND_BITS: u32 = 3;
/// All kinds together.
const KIND_MASK: u32 = (1 << KIND_BITS) - 1;
/// Where a unit's state holds its epoch, above two sets of kinds.
const EPOCH_SHIFT: u32 = 2 * KIND_BITS;
/// The last epoch that fits above the kinds.
const LAST_EPOCH: u32 = u32::MAX >> EPOCH_SHIFT;

/// Counts the distinct units that a stream of accesses touches, per interval and in all.
#[derive(Clone, Debug)]
pub struct Footprint {
    unit_shift: u32,
    /// The current interval's number, from 1. When numbers run out, all units touched so far are
    /// put into epoch 1 and counting goes on from 2: only "this epoch" and "ever" matter.
    epoch: u32,
    last_epoch: u32,
    /// Per unit, from the top: the last epoch that touched it, the kinds by which it was ever
    /// touched, the kinds by which that epoch touched it. 0 if nothing has touched it.
    states: Chunks,
    current: Touched,
    total: Touched,
}

impl Footprint {
    /// Nothing touched yet, with units of `1 << unit_shift` bytes.
    ///
    /// # Panics
    ///
    /// If `unit_shift` is 64 or more.
    #[must_use]
    pub fn new(unit_shift: u32) -> Self {
        assert!(
            unit_shift < u64::BITS,
            "a unit is smaller than the address space"
        );
        Self {
            unit_shift,
            epoch: 1,
            last_epoch: LAST_EPOCH,
            states: Chunks::default(),
            current: Touched::default(),
            total: Touched::default(),
        }
    }

    /// The same with numbers for few intervals, so that a test sees them run out.
    #[cfg(test)]
    fn with_last_epoch(unit_shift: u32, last_epoch: u32) -> Self {
        Self {
            last_epoch,
            ..Self::new(unit_shift)
        }
    }

    /// Counts one access.
    pub fn access(&mut self, access: &Access) {
        self.range(access.address, u64::from(access.size_bytes), access.kind);
    }

    /// Counts an access to `size_bytes` bytes from `address` on.
    #[inline]
    pub fn range(&mut self, address: u64, size_bytes: u64, kind: AccessKind) {
        for unit in units(address, size_bytes, self.unit_shift) {
            self.touch(unit, kind);
        }
    }

    /// Counts an access within the unit numbered `unit` (address divided by the unit's size).
    #[inline]
    pub fn touch(&mut self, unit: u64, kind: AccessKind) {
        let bit = 1 << kind.index();
        let state = self.states.state_mut(unit);
        let before = *state;
        let ever = before >> KIND_BITS & KIND_MASK;
        let kinds = if before >> EPOCH_SHIFT == self.epoch {
            before & KIND_MASK
        } else {
            0
        };
        if kinds & bit != 0 {
            return;
        }
        *state = self.epoch << EPOCH_SHIFT | (ever | bit) << KIND_BITS | kinds | bit;
        if kinds == 0 {
            self.current.add_unit(bit, ever == 0);
        } else {
            self.current.move_unit(kinds, kinds | bit);
        }
        if ever == 0 {
            self.total.add_unit(bit, true);
        } else {
            self.total.move_unit(ever, ever | bit);
        }
    }

    /// What the current interval has touched so far.
    #[must_use]
    pub fn current(&self) -> &Touched {
        &self.current
    }

    /// What all intervals together have touched, each unit once; all of it is new.
    #[must_use]
    pub fn total(&self) -> &Touched {
        &self.total
    }

    /// Ends the current interval, returns what it touched, and begins the next.
    pub fn end_interval(&mut self) -> Touched {
        if self.epoch == self.last_epoch {
            self.states.for_each_used(|state| {
                let ever = *state >> KIND_BITS & KIND_MASK;
                *state = 1 << EPOCH_SHIFT | ever << KIND_BITS;
            });
            self.epoch = 1;
        }
        self.epoch += 1;
        core::mem::take(&mut self.current)
    }
}

#[cfg(test)]
mod tests;
