//! The same hierarchy as plain lists: slow, and short enough to be checked by reading.

use super::{Counts, Found, Index, Level, Machine, PageSize, Policy, Side, TlbArray, WalkCache};
use crate::trace::AccessKind;
use alloc::{vec, vec::Vec};

/// A page: its number and its size.
type Page = (u64, PageSize);

/// One set: what each way holds, and when each was last used.
#[derive(Clone, Debug)]
struct Way {
    page: Option<Page>,
    last_use: u64,
    /// Bit pseudo-LRU: used since the last time that all were.
    marked: bool,
}

/// One array as a list of sets of ways.
#[derive(Clone, Debug)]
struct NaiveArray {
    spec: TlbArray,
    sets: Vec<Vec<Way>>,
    now: u64,
}

impl NaiveArray {
    fn new(spec: TlbArray) -> Self {
        let way = Way {
            page: None,
            last_use: 0,
            marked: false,
        };
        let ways = vec![way; spec.ways as usize];
        Self {
            spec,
            sets: vec![ways; (spec.entries / spec.ways) as usize],
            now: 0,
        }
    }

    fn set_of(&self, (number, _): Page) -> usize {
        let count = self.sets.len() as u64;
        let set = match self.spec.index {
            Index::Modulo => number % count,
            Index::Fold => {
                let bits = (0..).find(|&bits| 1 << bits >= count).unwrap_or(0);
                (number ^ (number >> bits)) % count
            }
        };
        usize::try_from(set).unwrap_or(0)
    }

    fn use_way(&mut self, set: usize, way: usize) {
        self.now += 1;
        let ways = &mut self.sets[set];
        ways[way].last_use = self.now;
        ways[way].marked = true;
        if ways.iter().all(|way| way.marked) {
            for (other, state) in ways.iter_mut().enumerate() {
                state.marked = other == way;
            }
        }
    }

    fn find(&mut self, page: Page) -> bool {
        let set = self.set_of(page);
        let way = self.sets[set].iter().position(|way| way.page == Some(page));
        if let Some(way) = way {
            self.use_way(set, way);
        }
        way.is_some()
    }

    fn insert(&mut self, page: Page) {
        let set = self.set_of(page);
        let ways = &self.sets[set];
        let free = ways.iter().position(|way| way.page.is_none());
        let way = free.unwrap_or_else(|| match self.spec.policy {
            Policy::Lru => {
                let oldest = ways.iter().enumerate().min_by_key(|(_, way)| way.last_use);
                oldest.map_or(0, |(way, _)| way)
            }
            Policy::TreePseudoLru => tree_victim(ways, 0),
            Policy::BitPseudoLru => ways.iter().position(|way| !way.marked).unwrap_or(0),
        });
        self.sets[set][way].page = Some(page);
        self.use_way(set, way);
    }
}

/// The way that the bits of a tree point to: at each fork, away from the side used last.
fn tree_victim(ways: &[Way], first: usize) -> usize {
    if ways.len() == 1 {
        return first;
    }
    let (left, right) = ways.split_at(usize::midpoint(first, first + ways.len()) - first);
    let newest = |side: &[Way]| side.iter().map(|way| way.last_use).max().unwrap_or(0);
    if newest(left) > newest(right) {
        tree_victim(right, first + left.len())
    } else {
        tree_victim(left, first)
    }
}

/// The hierarchy as lists.
#[derive(Clone, Debug)]
pub struct NaiveTlb<'a> {
    machine: Machine<'a>,
    arrays: Vec<NaiveArray>,
    /// The walker's caches: level and number of each entry, most recent last.
    walk_caches: Vec<Vec<(u32, u64)>>,
    counts: Counts,
}

impl<'a> NaiveTlb<'a> {
    /// Empty lists.
    #[must_use]
    pub fn new(machine: &Machine<'a>) -> Self {
        Self {
            machine: *machine,
            arrays: machine
                .arrays
                .iter()
                .copied()
                .map(NaiveArray::new)
                .collect(),
            walk_caches: machine.walk_caches.iter().map(|_| Vec::new()).collect(),
            counts: Counts::default(),
        }
    }

    /// Translates one access; see [`super::Tlb::access`].
    pub fn access(&mut self, kind: AccessKind, address: u64, size: PageSize) -> Found {
        let page = |size: PageSize| (address >> size.shift(), size);
        let first = self.machine.array_for(Level::First, kind, size);
        let mut second = self.machine.array_for(Level::Second, kind, size);
        let mut held_as = size;
        if second.is_none() && size == PageSize::Giant && self.machine.splits_giant_pages {
            held_as = PageSize::Huge;
            second = self.machine.array_for(Level::Second, kind, held_as);
        }
        let found = if first.is_some_and(|array| self.arrays[array].find(page(size))) {
            Found::First
        } else if second.is_some_and(|array| self.arrays[array].find(page(held_as))) {
            Found::Second
        } else {
            if let Some(array) = second {
                self.arrays[array].insert(page(held_as));
            }
            Found::Walk {
                levels: self.walk(address, size),
            }
        };
        if let Some(array) = first.filter(|_| found != Found::First) {
            self.arrays[array].insert(page(size));
        }
        self.counts.count(Side::of(kind), size, found);
        found
    }

    fn walk(&mut self, address: u64, size: PageSize) -> u8 {
        // The levels above the page's own, lowest first.
        let above: Vec<u32> = [21, 30, 39]
            .into_iter()
            .filter(|&level| level > size.shift())
            .collect();
        let cached = above.iter().position(|&level| {
            let known = self.cache_of(level);
            known.is_some_and(|(_, cache)| cache.contains(&(level, address >> level)))
        });
        let missed = cached.unwrap_or(above.len());
        // What is used goes to the end: the level found first, then those read below it.
        for &level in above[..above.len().min(missed + 1)].iter().rev() {
            let Some((WalkCache { entries, .. }, cache)) = self.cache_of(level) else {
                continue;
            };
            cache.retain(|&entry| entry != (level, address >> level));
            cache.push((level, address >> level));
            if cache.len() > entries as usize {
                cache.remove(0);
            }
        }
        u8::try_from(missed + 1).unwrap_or(u8::MAX)
    }

    fn cache_of(&mut self, level: u32) -> Option<(WalkCache, &mut Vec<(u32, u64)>)> {
        let specs = self.machine.walk_caches.iter();
        let mut both = specs.zip(&mut self.walk_caches);
        both.find(|(spec, _)| spec.levels.contains(&level))
            .map(|(spec, cache)| (*spec, cache))
    }

    /// Drops the translations of the bytes `first ..= last`; see [`super::Tlb::drop_range`].
    pub fn drop_range(&mut self, first: u64, last: u64) {
        let meets = |number: u64, shift: u32| first >> shift <= number && number <= last >> shift;
        for array in &mut self.arrays {
            for way in array.sets.iter_mut().flatten() {
                if way
                    .page
                    .is_some_and(|(number, size)| meets(number, size.shift()))
                {
                    way.page = None;
                }
            }
        }
        for cache in &mut self.walk_caches {
            cache.retain(|&(level, number)| !meets(number, level));
        }
    }

    /// What was counted so far.
    #[must_use]
    pub fn counts(&self) -> &Counts {
        &self.counts
    }
}
