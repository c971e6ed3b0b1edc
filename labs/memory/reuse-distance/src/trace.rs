//! A program's accesses, in order.

use lab_kit::Seed;

/// Bytes of a tree's node: the key, and where its two children are.
const NODE_BYTES: u32 = 32;
const CHILD_BYTES: [u32; 2] = [8, 16];

/// The addresses that a program accessed, in order. They are bytes of one block of memory, so a
/// table with an entry for each is not too large.
#[derive(Debug, Clone)]
pub struct Trace {
    accesses: Vec<u32>,
    memory_bytes: usize,
}

impl Trace {
    /// The trace of these addresses.
    pub fn new(accesses: Vec<u32>) -> Self {
        let memory_bytes = accesses.iter().max().map_or(0, |&last| last as usize + 1);
        Self {
            accesses,
            memory_bytes,
        }
    }

    /// The addresses, in order.
    pub fn accesses(&self) -> &[u32] {
        &self.accesses
    }

    /// A number that is larger than every address.
    pub fn memory_bytes(&self) -> usize {
        self.memory_bytes
    }

    /// This trace and after it another one.
    #[must_use]
    pub fn then(mut self, other: Self) -> Self {
        self.accesses.extend(other.accesses);
        Self::new(self.accesses)
    }

    /// One access every `step_bytes`, in order.
    pub fn sequential(start: u32, accesses: u32, step_bytes: u32) -> Self {
        Self::new(
            (0..accesses)
                .map(|number| start + number * step_bytes)
                .collect(),
        )
    }

    /// Accesses to multiples of four.
    pub fn anywhere(accesses: usize, memory_bytes: usize, seed: &mut Seed) -> Self {
        let mut address = |_| u32::try_from(4 * seed.below(memory_bytes / 4)).unwrap_or(0);
        Self::new((0..accesses).map(&mut address).collect())
    }

    /// Lookups of random keys in a search tree whose nodes lie in memory in random order.
    pub fn tree_lookups(start: u32, nodes: u32, lookups: usize, seed: &mut Seed) -> Self {
        let mut places: Vec<u32> = (0..nodes).map(|node| start + node * NODE_BYTES).collect();
        seed.shuffle(&mut places);
        let mut accesses = Vec::new();
        for _ in 0..lookups {
            let wanted = seed.below(places.len());
            let (mut low, mut high) = (0, places.len());
            while low < high {
                let middle = low.midpoint(high);
                let node = places[middle];
                accesses.push(node);
                if middle == wanted {
                    break;
                }
                accesses.push(node + CHILD_BYTES[usize::from(middle < wanted)]);
                if wanted < middle {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
        }
        Self::new(accesses)
    }
}
