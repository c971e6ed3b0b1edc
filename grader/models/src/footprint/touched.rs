//! What one interval touched.

/// The distinct units that an interval touched, by what touched them.
///
/// The `*_only` fields and the combinations exclude each other: their sum is the interval's
/// footprint. [`Self::load`], [`Self::store`] and [`Self::code`] are inclusive and overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Indexed by a set of kinds, one bit each; entry 0 stays 0.
    by_kinds: [u64; 8],
    /// Units that no earlier interval touched.
    pub new: u64,
}

const LOAD: usize = 1;
const STORE: usize = 2;
const CODE: usize = 4;

impl Touched {
    /// Counts a unit that this interval had not touched, with its first kind.
    pub(super) fn add_unit(&mut self, kind_bit: u32, is_new: bool) {
        self.by_kinds[kind_bit as usize & 7] += 1;
        self.new += u64::from(is_new);
    }

    /// Counts a unit under one more kind.
    pub(super) fn move_unit(&mut self, from_kinds: u32, to_kinds: u32) {
        self.by_kinds[from_kinds as usize & 7] -= 1;
        self.by_kinds[to_kinds as usize & 7] += 1;
    }

    fn with(&self, kind_bit: usize) -> u64 {
        let counts = self.by_kinds.iter().enumerate();
        counts
            .filter(|(kinds, _)| kinds & kind_bit != 0)
            .map(|(_, units)| units)
            .sum()
    }

    /// Units loaded from, whatever else was done to them.
    #[must_use]
    pub fn load(&self) -> u64 {
        self.with(LOAD)
    }

    /// Units stored to, whatever else was done to them.
    #[must_use]
    pub fn store(&self) -> u64 {
        self.with(STORE)
    }

    /// Units that instructions were fetched from, whatever else was done to them.
    #[must_use]
    pub fn code(&self) -> u64 {
        self.with(CODE)
    }

    /// Units touched at all.
    #[must_use]
    pub fn any(&self) -> u64 {
        self.by_kinds.iter().sum()
    }

    /// Units loaded from and not touched otherwise.
    #[must_use]
    pub fn load_only(&self) -> u64 {
        self.by_kinds[LOAD]
    }

    /// Units stored to and not touched otherwise.
    #[must_use]
    pub fn store_only(&self) -> u64 {
        self.by_kinds[STORE]
    }

    /// Units loaded from and stored to, and not fetched from.
    #[must_use]
    pub fn load_store(&self) -> u64 {
        self.by_kinds[LOAD | STORE]
    }

    /// Units fetched from and not touched otherwise.
    #[must_use]
    pub fn code_only(&self) -> u64 {
        self.by_kinds[CODE]
    }

    /// Units fetched from and loaded from, and not stored to.
    #[must_use]
    pub fn code_load(&self) -> u64 {
        self.by_kinds[CODE | LOAD]
    }

    /// Units fetched from and stored to, and not loaded from.
    #[must_use]
    pub fn code_store(&self) -> u64 {
        self.by_kinds[CODE | STORE]
    }

    /// Units fetched from, loaded from and stored to.
    #[must_use]
    pub fn code_load_store(&self) -> u64 {
        self.by_kinds[CODE | LOAD | STORE]
    }
}
