//! How often each reuse distance occurs, in bins that double.

/// Bins: distance 0, then one per power of two that a `u32` can hold.
const BINS: usize = 33;

/// Counts of reuse distances in log2 bins, and of the accesses that have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    bins: [u64; BINS],
    cold: u64,
}

/// One bin of a [`Histogram`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bin {
    /// The smallest distance in the bin.
    pub first: u32,
    /// The largest distance in the bin.
    pub last: u32,
    /// Accesses whose distance lies in the bin.
    pub count: u64,
}

impl Histogram {
    /// A histogram of nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            bins: [0; BINS],
            cold: 0,
        }
    }

    /// Counts one access; `None` is one without an earlier use.
    #[inline]
    pub fn record(&mut self, distance: Option<u32>) {
        match distance {
            // The bit length: 0 for 0, 1 for 1, 2 for 2 and 3, 3 for 4 to 7, …
            Some(distance) => self.bins[(u32::BITS - distance.leading_zeros()) as usize] += 1,
            None => self.cold += 1,
        }
    }

    /// Adds all that `other` counted.
    pub fn merge(&mut self, other: &Self) {
        for (bin, more) in self.bins.iter_mut().zip(other.bins) {
            *bin += more;
        }
        self.cold += other.cold;
    }

    /// Accesses without an earlier use of that kind.
    #[must_use]
    pub fn cold(&self) -> u64 {
        self.cold
    }

    /// All accesses counted, cold ones included.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.cold + self.bins.iter().sum::<u64>()
    }

    /// The bins from distance 0 to the last that is not empty.
    pub fn bins(&self) -> impl Iterator<Item = Bin> + '_ {
        let used = BINS
            - self
                .bins
                .iter()
                .rev()
                .take_while(|&&count| count == 0)
                .count();
        self.bins[..used]
            .iter()
            .enumerate()
            .map(|(length, &count)| match length {
                0 => Bin {
                    first: 0,
                    last: 0,
                    count,
                },
                _ => Bin {
                    first: 1 << (length - 1),
                    last: u32::MAX >> (BINS - 1 - length),
                    count,
                },
            })
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
}
