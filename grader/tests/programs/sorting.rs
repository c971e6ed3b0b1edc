//! Sorts numbers in place.

// Rust's own start reads /proc/self/maps, whose length depends on the tool that looks on.
#![no_main]

use std::hint::black_box;

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut state = 1u32;
    let mut numbers: Vec<u32> = (0..8000)
        .map(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            state
        })
        .collect();
    numbers.sort_unstable();
    black_box(numbers);
    0
}
