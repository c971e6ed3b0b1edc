//! A core's translation hardware as a value.

use super::PageSize;
use crate::trace::AccessKind;

/// First or second level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Asked by every access.
    First,
    /// Asked when the first level misses.
    Second,
}

/// How a page's number chooses its set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Index {
    /// The number modulo the count of sets, which may be any.
    Modulo,
    /// The number's low bits, exclusive-or as many bits above them, modulo the count of sets.
    Fold,
}

/// Which entry of a full set makes room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The one whose last use is longest ago.
    Lru,
    /// A binary tree over the ways, a bit at each fork: it points away from the side used last, and
    /// the entry that all bits on the way point to goes. Up to 64 ways, any number.
    TreePseudoLru,
    /// A bit for each way, set by a use; when all would be set, all others are cleared. The first
    /// entry without its bit goes. Up to 64 ways.
    BitPseudoLru,
}

/// One array of entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TlbArray {
    /// Its level.
    pub level: Level,
    /// What it translates for.
    pub kinds: &'static [AccessKind],
    /// The page sizes that it holds.
    pub sizes: &'static [PageSize],
    /// Translations that it holds.
    pub entries: u32,
    /// Entries of a set; all of them for a fully associative array.
    pub ways: u32,
    /// How a page finds its set.
    pub index: Index,
    /// What makes room.
    pub policy: Policy,
    /// Where the numbers come from.
    pub source: &'static str,
}

/// A cache of the page walker, for entries of the upper levels of the page tables; fully associative,
/// true LRU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkCache {
    /// log2 of the bytes that one entry of each level held here covers: 21 for the entries of page
    /// directories, 30 and 39 for the levels above.
    pub levels: &'static [u32],
    /// Entries that it holds.
    pub entries: u32,
    /// Where the number comes from.
    pub source: &'static str,
}

/// The translation hardware of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine<'a> {
    /// Name on the command line.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// Arrays of both levels. For each level, kind of access and page size at most one holds it.
    pub arrays: &'a [TlbArray],
    /// Whether the second level keeps a 1 GB page as the 2 MB pieces of it that were used.
    pub splits_giant_pages: bool,
    /// The walker's caches.
    pub walk_caches: &'a [WalkCache],
}

impl Machine<'_> {
    /// The array of `level` that translates accesses of `kind` to pages of `size`.
    #[must_use]
    pub fn array_for(&self, level: Level, kind: AccessKind, size: PageSize) -> Option<usize> {
        self.arrays.iter().position(|array| {
            array.level == level && array.kinds.contains(&kind) && array.sizes.contains(&size)
        })
    }

    /// Whether loads and stores look in the same first-level arrays.
    #[must_use]
    pub fn loads_and_stores_share(&self) -> bool {
        PageSize::ALL.into_iter().all(|size| {
            let array = |kind| self.array_for(Level::First, kind, size);
            array(AccessKind::Load) == array(AccessKind::Store)
        })
    }

    /// What is wrong with the numbers, if anything is.
    #[must_use]
    pub fn fault(&self) -> Option<&'static str> {
        let faulty = |array: &TlbArray| {
            if array.ways == 0 || array.entries == 0 || !array.entries.is_multiple_of(array.ways) {
                Some("an array's ways do not divide its entries")
            } else if array.policy != Policy::Lru && array.ways > 64 {
                Some("pseudo-LRU is for up to 64 ways")
            } else {
                None
            }
        };
        let doubled = |(position, array): (usize, &TlbArray)| {
            let mut pairs = array
                .kinds
                .iter()
                .flat_map(|&kind| array.sizes.iter().map(move |&size| (kind, size)));
            pairs.any(|(kind, size)| self.array_for(array.level, kind, size) != Some(position))
        };
        if let Some(fault) = self.arrays.iter().find_map(faulty) {
            return Some(fault);
        }
        if self.arrays.iter().enumerate().any(doubled) {
            return Some("two arrays of a level hold the same kind and size");
        }
        let walkers = self.walk_caches.iter();
        let empty = walkers.into_iter().any(|cache| cache.entries == 0);
        empty.then_some("a walk cache has no entries")
    }
}
