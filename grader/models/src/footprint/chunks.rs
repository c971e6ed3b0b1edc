//! One word of state per unit of the address space, allocated in chunks where a program lives.
//!
//! A program's addresses lie in few, dense regions, so a unit's state is found by position in a
//! chunk, and the chunk by a small direct-mapped cache of recent ones in front of an ordered map.

use alloc::{boxed::Box, collections::BTreeMap, vec, vec::Vec};

/// Units per chunk: with lines, a chunk covers 4 MiB and its states take 256 KiB.
const CHUNK_BITS: u32 = 16;
const CHUNK_UNITS: usize = 1 << CHUNK_BITS;
/// Recent chunks remembered, enough for the heap, the stack and the libraries of a big program.
const RECENT: usize = 256;
/// No chunk has this number: numbers have at most `64 - CHUNK_BITS` bits.
const NO_CHUNK: u64 = u64::MAX;

#[derive(Clone, Copy, Debug)]
struct Recent {
    number: u64,
    position: usize,
}

/// The states, each 0 until it is written.
#[derive(Clone, Debug)]
pub(super) struct Chunks {
    recent: Box<[Recent]>,
    positions: BTreeMap<u64, usize>,
    chunks: Vec<Box<[u32]>>,
}

impl Default for Chunks {
    fn default() -> Self {
        let nothing = Recent {
            number: NO_CHUNK,
            position: 0,
        };
        Self {
            recent: vec![nothing; RECENT].into_boxed_slice(),
            positions: BTreeMap::new(),
            chunks: Vec::new(),
        }
    }
}

impl Chunks {
    /// The state of `unit`.
    #[inline]
    pub(super) fn state_mut(&mut self, unit: u64) -> &mut u32 {
        let number = unit >> CHUNK_BITS;
        // Masked to the chunk's size, so the cast cannot cut anything off.
        #[expect(clippy::cast_possible_truncation, reason = "masked to 16 bits")]
        let within = unit as usize & (CHUNK_UNITS - 1);
        let recent = self.recent[number as usize & (RECENT - 1)];
        let position = if recent.number == number {
            recent.position
        } else {
            self.find(number)
        };
        &mut self.chunks[position][within]
    }

    #[cold]
    fn find(&mut self, number: u64) -> usize {
        let chunks = &mut self.chunks;
        let position = *self.positions.entry(number).or_insert_with(|| {
            chunks.push(vec![0; CHUNK_UNITS].into_boxed_slice());
            chunks.len() - 1
        });
        #[expect(clippy::cast_possible_truncation, reason = "masked to 8 bits")]
        let slot = number as usize & (RECENT - 1);
        self.recent[slot] = Recent { number, position };
        position
    }

    /// Visits every state that is not 0.
    pub(super) fn for_each_used(&mut self, mut visit: impl FnMut(&mut u32)) {
        let states = self.chunks.iter_mut().flat_map(|chunk| chunk.iter_mut());
        states.filter(|state| **state != 0).for_each(&mut visit);
    }
}
