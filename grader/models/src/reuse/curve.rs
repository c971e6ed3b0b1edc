//! The miss ratio curve: how often a cache misses, against its size.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// Steps from one power of two to the next: sizes with up to four significant bits are exact.
const STEPS: u32 = 8;
const STEP_BITS: u32 = STEPS.trailing_zeros();
const BINS: usize = ((u32::BITS - STEP_BITS + 1) * STEPS) as usize;

/// Misses of a fully associative LRU cache of every size, from distances in lines.
///
/// An access at distance `d` hits if the cache holds more than `d` lines; a first touch always
/// misses. Distances are kept in eight bins per doubling, so the count is exact for sizes of one to
/// fifteen times a power of two (48 KiB and 1.25 MiB are) and interpolated in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissRatioCurve {
    bins: Box<[u64; BINS]>,
    cold: u64,
}

impl MissRatioCurve {
    /// The curve of nothing.
    #[must_use]
    pub fn new() -> Self {
        Self {
            bins: Box::new([0; BINS]),
            cold: 0,
        }
    }

    /// Counts one touch of a line; `None` is its first.
    #[inline]
    pub fn record(&mut self, distance_lines: Option<u32>) {
        match distance_lines {
            Some(distance) => self.bins[bin_of(distance)] += 1,
            None => self.cold += 1,
        }
    }

    /// Touches of lines counted.
    #[must_use]
    pub fn touches(&self) -> u64 {
        self.cold + self.bins.iter().sum::<u64>()
    }

    /// First touches of a line: misses at any size.
    #[must_use]
    pub fn cold(&self) -> u64 {
        self.cold
    }

    /// Expected misses of a cache that holds `size_lines` lines.
    #[must_use]
    pub fn misses(&self, size_lines: u32) -> u64 {
        let bin = bin_of(size_lines);
        let (first, after) = (first_of(bin), first_of(bin + 1));
        let farther: u64 = self.bins[bin + 1..].iter().sum();
        let share = u128::from(after - u64::from(size_lines)) * u128::from(self.bins[bin])
            / u128::from(after - first);
        let share = u64::try_from(share).expect("at most the bin's own count");
        self.cold + farther + share
    }

    /// Expected misses per touch, 0 to 1; 0 if nothing was counted.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "a ratio; counts stay far below 2^53"
    )]
    pub fn miss_ratio(&self, size_lines: u32) -> f64 {
        match self.touches() {
            0 => 0.0,
            touches => self.misses(size_lines) as f64 / touches as f64,
        }
    }

    /// Sizes in lines at which the curve is known exactly, up to the first that only misses cold.
    #[must_use]
    pub fn sizes(&self) -> Vec<u32> {
        let used = BINS
            - self
                .bins
                .iter()
                .rev()
                .take_while(|&&count| count == 0)
                .count();
        (0..=used.min(BINS - 1))
            .filter_map(|bin| u32::try_from(first_of(bin)).ok())
            .collect()
    }
}

impl Default for MissRatioCurve {
    fn default() -> Self {
        Self::new()
    }
}

#[inline]
fn bin_of(distance: u32) -> usize {
    if distance < STEPS {
        return distance as usize;
    }
    let octave = distance.ilog2() - STEP_BITS;
    (octave * STEPS + (distance >> octave)) as usize
}

/// The smallest distance of a bin; of the bin after the last, 2³².
fn first_of(bin: usize) -> u64 {
    let (bin, steps) = (bin as u64, u64::from(STEPS));
    if bin < steps {
        return bin;
    }
    let octave = bin / steps - 1;
    (steps + bin % steps) << octave
}
