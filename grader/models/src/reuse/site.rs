//! Reuse seen from one load or store of the program.

use super::{Distances, Histogram};

/// Cache sizes that misses per site are counted for.
pub(super) const MAX_CACHES: usize = 4;

/// A load or store in the program's text, numbered from 0 without gaps by whoever traces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub u32);

/// What one site did.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SiteReuse {
    temporal: Histogram,
    spatial: Histogram,
    misses: [u64; MAX_CACHES],
}

impl SiteReuse {
    pub(super) const fn new() -> Self {
        Self {
            temporal: Histogram::new(),
            spatial: Histogram::new(),
            misses: [0; MAX_CACHES],
        }
    }

    /// Counts one touch against caches of the given sizes.
    #[inline]
    pub(super) fn record(&mut self, distances: Distances, sizes: &[u32; MAX_CACHES]) {
        self.temporal.record(distances.temporal);
        self.spatial.record(distances.spatial);
        let nearest = distances.nearest().unwrap_or(u32::MAX);
        for (misses, &size) in self.misses.iter_mut().zip(sizes) {
            *misses += u64::from(nearest >= size);
        }
    }

    pub(super) fn merge(&mut self, other: &Self) {
        self.temporal.merge(&other.temporal);
        self.spatial.merge(&other.spatial);
        for (misses, more) in self.misses.iter_mut().zip(other.misses) {
            *misses += more;
        }
    }

    /// Touches that the site made.
    #[must_use]
    pub fn touches(&self) -> u64 {
        self.temporal.total()
    }

    /// Distances to the last use of the same address.
    #[must_use]
    pub fn temporal(&self) -> &Histogram {
        &self.temporal
    }

    /// Distances to the last use of another address of the line.
    #[must_use]
    pub fn spatial(&self) -> &Histogram {
        &self.spatial
    }

    /// Expected misses in the cache that was named at this place when the profile was made.
    ///
    /// Exact for a fully associative LRU cache if the profile counts lines. A place that no cache
    /// was named for counts first touches.
    #[must_use]
    pub fn misses(&self, cache: usize) -> u64 {
        self.misses[cache]
    }
}
