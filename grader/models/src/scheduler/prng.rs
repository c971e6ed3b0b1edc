//! The one source of randomness: a seeded generator that gives the same numbers on every host.
//!
//! Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014
//! (the SplitMix64 output function with its published constants).

const GOLDEN_GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// A SplitMix64 stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prng {
    state: u64,
}

impl Prng {
    /// A stream that depends on `seed` alone.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(GOLDEN_GAMMA);
        mix(self.state)
    }

    /// A number in `0..bound`, by multiplication instead of division.
    ///
    /// The bias is below `bound / 2^64`, far under anything a run here can see.
    ///
    /// # Panics
    /// If `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        assert!(bound > 0, "a number below 0 does not exist");
        let wide = u128::from(self.next_u64()) * u128::from(bound);
        (wide >> 64) as u64
    }
}

/// Scrambles one word: neighbouring inputs give unrelated outputs.
///
/// Programs use it to draw what belongs to a *place* (a pivot, a sample), so that the same program
/// comes out whichever worker happens to run first.
pub fn mix(word: u64) -> u64 {
    let mut z = word;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::Prng;

    #[test]
    fn first_numbers_of_seed_zero_are_the_published_ones() {
        let mut prng = Prng::new(0);
        // Source: the reference sequence that implementations of SplitMix64 check themselves by.
        assert_eq!(prng.next_u64(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(prng.next_u64(), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn below_reaches_every_number_and_none_beyond() {
        let mut prng = Prng::new(7);
        let mut seen = [0_u32; 5];
        for _ in 0..1000 {
            seen[usize::try_from(prng.below(5)).unwrap()] += 1;
        }
        assert!(seen.iter().all(|&times| times > 100), "{seen:?}");
    }
}
