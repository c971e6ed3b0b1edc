//! What the model counts.

use super::{Found, PageSize, Side};

/// Counts of one side and one page size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Pages accessed: one for each access, one more for an access that reaches into a second page.
    pub accesses: u64,
    /// Accesses that the first level could not translate.
    pub l1_misses: u64,
    /// Accesses that no level could translate.
    pub walks: u64,
    /// Entries of the page tables that the walks read: one to four for each.
    pub levels_read: u64,
}

impl Tally {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            accesses: self.accesses + other.accesses,
            l1_misses: self.l1_misses + other.l1_misses,
            walks: self.walks + other.walks,
            levels_read: self.levels_read + other.levels_read,
        }
    }

    fn count(&mut self, found: Found) {
        self.accesses += 1;
        self.l1_misses += u64::from(found != Found::First);
        if let Found::Walk { levels } = found {
            self.walks += 1;
            self.levels_read += u64::from(levels);
        }
    }
}

/// Counts by side and page size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts([[Tally; 3]; 2]);

impl Counts {
    /// Those of one side and one page size.
    #[must_use]
    pub fn of(&self, side: Side, size: PageSize) -> Tally {
        self.0[side.index()][size.index()]
    }

    /// Those of one side.
    #[must_use]
    pub fn side(&self, side: Side) -> Tally {
        let sizes = self.0[side.index()];
        sizes.into_iter().fold(Tally::default(), Tally::plus)
    }

    /// All together.
    #[must_use]
    pub fn total(&self) -> Tally {
        self.side(Side::Instruction).plus(self.side(Side::Data))
    }

    /// Walks of both sides in 1000 instructions; 0 without instructions.
    #[must_use]
    pub fn walks_per_thousand(&self, instructions: u64) -> f64 {
        if instructions == 0 {
            return 0.0;
        }
        self.total().walks as f64 * 1000.0 / instructions as f64
    }

    /// Counts one access.
    pub(super) fn count(&mut self, side: Side, size: PageSize, found: Found) {
        self.0[side.index()][size.index()].count(found);
    }

    /// Counts accesses that the first level translated.
    pub(super) fn count_hits(&mut self, side: Side, size: PageSize, accesses: u64) {
        self.0[side.index()][size.index()].accesses += accesses;
    }
}
