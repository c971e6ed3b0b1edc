//! The profile of a program: histograms of all accesses, of each site, and the curve.

use alloc::vec::Vec;

use super::site::MAX_CACHES;
use super::{Distances, Lines, MissRatioCurve, ReuseDistance, SiteId, SiteReuse, Unit, touches};

/// Reuse of a whole program and of each of its sites, collected access by access.
///
/// ```
/// use models::reuse::{Lines, ReuseProfile, SiteId};
///
/// // Two passes over 1024 lines, eight bytes at a time, looking at a cache of 512 lines.
/// let mut profile = ReuseProfile::<Lines>::new(&[512]);
/// for address in (0..65_536).step_by(8).chain((0..65_536).step_by(8)) {
///     profile.access_at(SiteId(0), address, 8);
/// }
/// let site = &profile.sites()[0];
/// assert_eq!(site.touches(), 16_384);
/// assert_eq!(site.misses(0), 2048); // one per line and pass
/// assert_eq!(profile.curve().misses(1024), 1024); // all fit: only first touches miss
/// ```
pub struct ReuseProfile<U> {
    engine: ReuseDistance<U>,
    curve: MissRatioCurve,
    cache_sizes: [u32; MAX_CACHES],
    sites: Vec<SiteReuse>,
    no_site: SiteReuse,
}

impl<U: Unit> ReuseProfile<U> {
    /// A profile that counts misses per site for caches of the given sizes, in lines.
    ///
    /// # Panics
    ///
    /// If more than four sizes are given.
    #[must_use]
    pub fn new(cache_sizes_lines: &[u32]) -> Self {
        let mut cache_sizes = [u32::MAX; MAX_CACHES];
        cache_sizes[..cache_sizes_lines.len()].copy_from_slice(cache_sizes_lines);
        Self {
            engine: ReuseDistance::new(),
            curve: MissRatioCurve::new(),
            cache_sizes,
            sites: Vec::new(),
            no_site: SiteReuse::new(),
        }
    }

    /// An access of `size_bytes` at `address` by nobody in particular.
    ///
    /// Returns the distances of its last touch, of which most accesses have only one.
    #[inline]
    pub fn access(&mut self, address: u64, size_bytes: u64) -> Distances {
        let mut distances = Distances::default();
        for touch in touches(address, size_bytes) {
            distances = self.engine.access(touch);
            self.curve.record(distances.nearest());
            self.no_site.record(distances, &self.cache_sizes);
        }
        distances
    }

    /// An access of `size_bytes` at `address` by `site`.
    ///
    /// Memory grows with the highest site number; see [`SiteId`].
    #[inline]
    pub fn access_at(&mut self, site: SiteId, address: u64, size_bytes: u64) -> Distances {
        if site.0 as usize >= self.sites.len() {
            self.add_sites(site);
        }
        let mut distances = Distances::default();
        for touch in touches(address, size_bytes) {
            distances = self.engine.access(touch);
            self.curve.record(distances.nearest());
            self.sites[site.0 as usize].record(distances, &self.cache_sizes);
        }
        distances
    }

    /// All accesses together, whoever made them.
    #[must_use]
    pub fn total(&self) -> SiteReuse {
        let mut total = self.no_site.clone();
        for site in &self.sites {
            total.merge(site);
        }
        total
    }

    /// What each site did, by number.
    #[must_use]
    pub fn sites(&self) -> &[SiteReuse] {
        &self.sites
    }

    /// Distinct units touched.
    #[must_use]
    pub fn units(&self) -> u32 {
        self.engine.units()
    }

    /// Bytes held at present: those of the engine and 0.6 KiB for each site.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.engine.memory_bytes() + self.sites.capacity() * size_of::<SiteReuse>()
    }

    #[cold]
    #[inline(never)]
    fn add_sites(&mut self, site: SiteId) {
        self.sites.resize(site.0 as usize + 1, SiteReuse::new());
    }
}

impl ReuseProfile<Lines> {
    /// The miss ratio curve of all accesses.
    #[must_use]
    pub fn curve(&self) -> &MissRatioCurve {
        &self.curve
    }
}
