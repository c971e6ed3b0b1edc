//! The footprint as sets, one per kind: slow and obvious.

use super::Touched;
use crate::trace::{Access, AccessKind};
use alloc::collections::{BTreeMap, BTreeSet};

/// What [`super::Footprint`] computes, from sets of unit numbers.
#[derive(Clone, Debug)]
pub struct NaiveFootprint {
    unit_shift: u32,
    /// Kinds by which each unit was ever touched.
    ever: BTreeMap<u64, BTreeSet<AccessKind>>,
    /// Kinds by which the current interval touched each unit.
    current: BTreeMap<u64, BTreeSet<AccessKind>>,
}

impl NaiveFootprint {
    /// Nothing touched yet, with units of `1 << unit_shift` bytes.
    #[must_use]
    pub fn new(unit_shift: u32) -> Self {
        Self {
            unit_shift,
            ever: BTreeMap::new(),
            current: BTreeMap::new(),
        }
    }

    /// Counts one access.
    pub fn access(&mut self, access: &Access) {
        for unit in access.units(self.unit_shift) {
            self.current.entry(unit).or_default().insert(access.kind);
        }
    }

    /// Ends the current interval, returns what it touched, and begins the next.
    pub fn end_interval(&mut self) -> Touched {
        let mut touched = Touched::default();
        for (unit, kinds) in core::mem::take(&mut self.current) {
            touched.add_unit(bits(&kinds), !self.ever.contains_key(&unit));
            self.ever.entry(unit).or_default().extend(kinds);
        }
        touched
    }

    /// What all ended intervals together have touched.
    #[must_use]
    pub fn total(&self) -> Touched {
        let mut touched = Touched::default();
        for kinds in self.ever.values() {
            touched.add_unit(bits(kinds), true);
        }
        touched
    }
}

fn bits(kinds: &BTreeSet<AccessKind>) -> u32 {
    kinds.iter().map(|kind| 1 << kind.index()).sum()
}
