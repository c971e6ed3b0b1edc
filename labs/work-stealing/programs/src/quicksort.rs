//! Quicksort in place: partition, then both sides in parallel.

use crate::ForkJoin;
use crate::random::Random;

/// Below this many elements insertion is quicker than another partition.
const INSERTION_BELOW: usize = 24;

/// Sorts in place. Equal elements are spread over both sides, and a run of bad pivots is handed to
/// the standard library, so no input takes quadratic time.
pub fn quicksort<R: ForkJoin>(token: &mut R::Token<'_>, data: &mut [u32]) {
    let levels = 2 * (usize::BITS - data.len().leading_zeros());
    sort::<R>(token, data, levels);
}

fn sort<R: ForkJoin>(token: &mut R::Token<'_>, data: &mut [u32], levels: u32) {
    if data.len() < INSERTION_BELOW {
        insertion_sort(data);
        return;
    }
    if levels == 0 {
        data.sort_unstable();
        return;
    }
    let middle = partition(data);
    let (left, right) = data.split_at_mut(middle);
    R::join(
        token,
        |token| sort::<R>(token, left, levels - 1),
        |token| sort::<R>(token, right, levels - 1),
    );
}

/// Orders the elements so that none of the first is greater than any of the rest, and returns how
/// many the first are: at least one, and not all. Scans from both ends, as Hoare's does, around
/// the median of three.
fn partition(data: &mut [u32]) -> usize {
    let pivot = median(data[0], data[data.len() / 2], data[data.len() - 1]);
    let (mut low, mut high) = (0, data.len() - 1);
    loop {
        while data[low] < pivot {
            low += 1;
        }
        while data[high] > pivot {
            high -= 1;
        }
        if low >= high {
            // `low` stands on the pivot itself, or one past where the scans met.
            return low.clamp(1, data.len() - 1);
        }
        data.swap(low, high);
        low += 1;
        high -= 1;
    }
}

fn median(a: u32, b: u32, c: u32) -> u32 {
    a.min(b).max(a.max(b).min(c))
}

fn insertion_sort(data: &mut [u32]) {
    for end in 1..data.len() {
        let value = data[end];
        let mut hole = end;
        while hole > 0 && data[hole - 1] > value {
            data[hole] = data[hole - 1];
            hole -= 1;
        }
        data[hole] = value;
    }
}

/// `length` random numbers.
#[must_use]
pub fn random(length: usize, seed: u64) -> Vec<u32> {
    let mut random = Random::new(seed);
    (0..length).map(|_| (random.bits() >> 32) as u32).collect()
}
