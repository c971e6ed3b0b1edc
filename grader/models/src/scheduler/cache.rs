//! One set-associative cache with true least-recently-used replacement.
//!
//! A set is a slice of line numbers, most recently used first, so that a stream of misses, which is
//! most of what a full-size run does, costs one shift of a slice and no bookkeeping.

use alloc::vec;
use alloc::vec::Vec;

use super::prng::Prng;

/// Line numbers are kept in 32 bits: 256 GB of addresses at 64 bytes a line.
pub(crate) const NO_LINE: u32 = u32::MAX;

/// Which line of a full set has to go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// The least recently used one.
    Lru,
    /// The first one, after the last one replaced, that has not been used since all were marked.
    NotRecentlyUsed,
    /// Any one, at random.
    Random,
}

/// A cache; see the module.
#[derive(Clone, Debug)]
pub struct Cache {
    /// `sets × ways`, each set most recently used first, empty ways last.
    lines: Vec<u32>,
    ways: usize,
    set_mask: u32,
    hashed: bool,
    replacement: Replacement,
    /// Per set, for the policies other than LRU: a bit per way used, and where to look next.
    marks: Vec<(u32, u8)>,
    prng: Prng,
}

impl Cache {
    /// An empty cache.
    ///
    /// # Panics
    /// If `sets` is not a power of two below 2^32 or `ways` is 0.
    pub fn new(sets: u64, ways: usize, hashed: bool, replacement: Replacement) -> Self {
        assert!(
            sets.is_power_of_two() && ways > 0,
            "{sets} sets of {ways} ways"
        );
        let set_mask = u32::try_from(sets - 1).expect("fewer than 2^32 sets");
        let slots = usize::try_from(sets).expect("fits the host") * ways;
        let marks = if replacement == Replacement::NotRecentlyUsed {
            vec![(0, 0); usize::try_from(sets).expect("fits the host")]
        } else {
            Vec::new()
        };
        let lines = vec![NO_LINE; slots];
        Self {
            lines,
            ways,
            set_mask,
            hashed,
            replacement,
            marks,
            prng: Prng::new(sets),
        }
    }

    fn set_start(&self, line: u32) -> usize {
        let set = if self.hashed {
            // Folds the bits above the set number in, as slice hashes do; any fixed mixing serves.
            (line ^ (line >> 7) ^ (line >> 13) ^ line.wrapping_mul(0x9e37_79b1) >> 18)
                & self.set_mask
        } else {
            line & self.set_mask
        };
        set as usize * self.ways
    }

    /// Brings a line that is present to the front of its set. Returns whether it was present.
    pub fn hit(&mut self, line: u32) -> bool {
        let start = self.set_start(line);
        let set = &mut self.lines[start..start + self.ways];
        match set.iter().position(|&other| other == line) {
            Some(place) => {
                match self.replacement {
                    Replacement::Lru => {
                        set.copy_within(0..place, 1);
                        set[0] = line;
                    }
                    Replacement::NotRecentlyUsed => self.mark(start, place),
                    Replacement::Random => {}
                }
                true
            }
            None => false,
        }
    }

    /// Puts a line that is absent at the front of its set; returns the line that had to go.
    pub fn fill(&mut self, line: u32) -> Option<u32> {
        let start = self.set_start(line);
        let last = self.ways - 1;
        let evicted = if self.replacement == Replacement::Lru {
            let set = &mut self.lines[start..start + self.ways];
            let evicted = set[last];
            set.copy_within(0..last, 1);
            set[0] = line;
            evicted
        } else {
            let set = &self.lines[start..start + self.ways];
            let empty = set.iter().position(|&other| other == NO_LINE);
            let place = empty.unwrap_or_else(|| self.victim(start));
            if self.replacement == Replacement::NotRecentlyUsed {
                self.mark(start, place);
            }
            core::mem::replace(&mut self.lines[start + place], line)
        };
        (evicted != NO_LINE).then_some(evicted)
    }

    /// Marks a way as used; when all are, forgets all other marks.
    fn mark(&mut self, start: usize, place: usize) {
        let (used, _) = &mut self.marks[start / self.ways];
        *used |= 1 << place;
        if used.count_ones() as usize == self.ways {
            *used = 1 << place;
        }
    }

    fn victim(&mut self, start: usize) -> usize {
        if self.replacement == Replacement::Random {
            return usize::try_from(self.prng.below(self.ways as u64)).expect("a way");
        }
        let (used, hand) = &mut self.marks[start / self.ways];
        let mut place = *hand as usize;
        while *used >> place & 1 == 1 {
            place = (place + 1) % self.ways;
        }
        *hand = u8::try_from((place + 1) % self.ways).expect("at most 32 ways");
        place
    }

    /// Takes a line away, if it is there; its way is empty and the next to be filled.
    pub fn invalidate(&mut self, line: u32) -> bool {
        let start = self.set_start(line);
        let set = &mut self.lines[start..start + self.ways];
        let Some(place) = set.iter().position(|&other| other == line) else {
            return false;
        };
        if self.replacement == Replacement::Lru {
            set.copy_within(place + 1.., place);
            set[self.ways - 1] = NO_LINE;
        } else {
            set[place] = NO_LINE;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;
    use std::vec::Vec;

    use proptest::collection::vec;
    use proptest::prelude::{Strategy, any};
    use proptest::{prop_assert_eq, proptest};

    use super::{Cache, Replacement};

    /// The slow obvious twin: a queue of lines per set.
    struct Queues {
        sets: Vec<VecDeque<u32>>,
        ways: usize,
    }

    impl Queues {
        fn access(&mut self, line: u32) -> (bool, Option<u32>) {
            let count = self.sets.len();
            let set = &mut self.sets[line as usize % count];
            if let Some(place) = set.iter().position(|&l| l == line) {
                set.remove(place);
                set.push_front(line);
                return (true, None);
            }
            set.push_front(line);
            let evicted = if set.len() > self.ways {
                set.pop_back()
            } else {
                None
            };
            (false, evicted)
        }

        fn invalidate(&mut self, line: u32) -> bool {
            let count = self.sets.len();
            let set = &mut self.sets[line as usize % count];
            let before = set.len();
            set.retain(|&l| l != line);
            set.len() < before
        }
    }

    fn operations() -> impl Strategy<Value = Vec<(u32, bool)>> {
        vec((0_u32..40, any::<bool>()), 0..300)
    }

    proptest! {
        #[test]
        fn slices_and_queues_agree(operations in operations(), sets in 0_u32..3, ways in 1_usize..5) {
            let count = 1_usize << sets;
            let mut fast = Cache::new(count as u64, ways, false, Replacement::Lru);
            let mut slow = Queues { sets: std::vec![VecDeque::new(); count], ways };
            for (line, remove) in operations {
                if remove && line % 3 == 0 {
                    prop_assert_eq!(fast.invalidate(line), slow.invalidate(line));
                } else {
                    let hit = fast.hit(line);
                    let evicted = if hit { None } else { fast.fill(line) };
                    prop_assert_eq!((hit, evicted), slow.access(line));
                }
            }
        }

        #[test]
        fn misses_never_rise_with_more_ways(lines in vec(0_u32..64, 0..400), ways in 1_usize..8) {
            let misses = |ways| {
                let mut cache = Cache::new(4, ways, false, Replacement::Lru);
                lines
                    .iter()
                    .filter(|&&line| {
                        let missed = !cache.hit(line);
                        if missed {
                            cache.fill(line);
                        }
                        missed
                    })
                    .count()
            };
            proptest::prop_assert!(misses(ways + 1) <= misses(ways));
        }
    }
}
