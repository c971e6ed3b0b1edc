//! Sorts numbers in place.

use std::hint::black_box;

fn main() {
    let mut state = 1u32;
    let mut numbers: Vec<u32> = (0..8000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state
        })
        .collect();
    numbers.sort_unstable();
    black_box(numbers);
}
