//! What a distance is counted in.

/// What a distance is counted in: [`Lines`] or [`Locations`].
///
/// Sealed: the engine relies on a unit being one of the two.
pub trait Unit: sealed::Sealed {
    /// The unit's plural, for people: `"lines"` or `"locations"`.
    const NAME: &'static str;
    #[doc(hidden)]
    const LINES: bool;
}

/// Distinct cache lines: what decides hits and misses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lines;

/// Distinct addresses: what the textbook's examples count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Locations;

impl Unit for Lines {
    const NAME: &'static str = "lines";
    const LINES: bool = true;
}

impl Unit for Locations {
    const NAME: &'static str = "locations";
    const LINES: bool = false;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Lines {}
    impl Sealed for super::Locations {}
}
