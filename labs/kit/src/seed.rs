//! Seeded random numbers: the same seed gives the same inputs on every machine and in every version.

/// A stream of random numbers that a printed number can start again.
///
/// A PCG (O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good Algorithms for
/// Random Number Generation", 2014), from a crate that promises never to change its output.
#[derive(Debug)]
pub struct Seed {
    value: u64,
    stream: oorandom::Rand64,
}

impl Seed {
    /// The stream that `value` starts.
    pub fn new(value: u64) -> Self {
        Self {
            value,
            stream: oorandom::Rand64::new(u128::from(value)),
        }
    }

    /// The number that repeats this stream from its start.
    pub const fn value(&self) -> u64 {
        self.value
    }

    /// A number in `0..limit`.
    ///
    /// # Panics
    ///
    /// If `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        assert!(limit > 0, "there is no number below 0");
        let drawn = self.stream.rand_range(0..limit as u64);
        usize::try_from(drawn).expect("a number below a usize is a usize")
    }

    /// A number in `low..=high`.
    pub fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// Any 64-bit number.
    pub fn bits(&mut self) -> u64 {
        self.stream.rand_u64()
    }

    /// True once in `times`, on average.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of `items`.
    pub fn pick<'items, T>(&mut self, items: &'items [T]) -> &'items T {
        &items[self.below(items.len())]
    }

    /// Puts `items` in random order (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Seed;

    #[test]
    fn the_stream_of_a_seed_never_changes() {
        let mut seed = Seed::new(7);
        let drawn: Vec<usize> = (0..6).map(|_| seed.below(100)).collect();
        assert_eq!(drawn, [41, 23, 42, 51, 82, 48]);
    }

    #[test]
    fn a_shuffle_keeps_every_item() {
        let mut items: Vec<u32> = (0..100).collect();
        Seed::new(1).shuffle(&mut items);
        assert_ne!(items, (0..100).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..100).collect::<Vec<_>>());
    }
}
