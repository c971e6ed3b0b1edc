//! Which caches of one level hold a line: a directory with one bit per cache.
//!
//! It answers "miss" without a search of the set, which is what makes a stream cheap, and it names
//! the other caches that a write has to take a line from.

use alloc::vec;
use alloc::vec::Vec;

/// One word per line of the address space, as narrow as the number of caches allows: a directory
/// of bytes for four sockets stays in the host's own cache.
#[derive(Clone, Debug)]
pub(crate) enum Presence {
    Narrow(Vec<u8>),
    Wide(Vec<u64>),
}

impl Presence {
    pub(crate) fn new(lines: usize, caches: usize) -> Self {
        if caches <= 8 {
            Self::Narrow(vec![0; lines])
        } else {
            Self::Wide(vec![0; lines])
        }
    }

    pub(crate) fn mask(&self, line: u32) -> u64 {
        match self {
            Self::Narrow(words) => u64::from(words[line as usize]),
            Self::Wide(words) => words[line as usize],
        }
    }

    pub(crate) fn insert(&mut self, line: u32, cache: usize) {
        match self {
            Self::Narrow(words) => words[line as usize] |= 1 << cache,
            Self::Wide(words) => words[line as usize] |= 1 << cache,
        }
    }

    pub(crate) fn remove(&mut self, line: u32, cache: usize) {
        match self {
            Self::Narrow(words) => words[line as usize] &= !(1 << cache),
            Self::Wide(words) => words[line as usize] &= !(1 << cache),
        }
    }
}
