//! What one access is told: how far back its two earlier uses lie.

/// The two reuse distances of one access, each in the unit of the engine that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Distances {
    /// Distinct other units touched since the same address; `None` on its first use.
    pub temporal: Option<u32>,
    /// Distinct other units touched since another address of the line; `None` if there was none.
    pub spatial: Option<u32>,
}

impl Distances {
    /// The smaller of the two: the one that decides whether a cache still holds the line.
    ///
    /// Counted in lines, this is the line's depth in the LRU stack. `None` means a first touch of
    /// the line: a compulsory miss.
    #[inline]
    #[must_use]
    pub fn nearest(self) -> Option<u32> {
        match (self.temporal, self.spatial) {
            (Some(temporal), Some(spatial)) => Some(temporal.min(spatial)),
            (temporal, spatial) => temporal.or(spatial),
        }
    }
}
