//! Reads entries of an array in an order without a pattern.

// Rust's own start reads /proc/self/maps, whose length depends on the tool that looks on.
#![no_main]

use std::hint::black_box;

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let numbers: Vec<u32> = (0..65_536).collect();
    let mut state = 1u32;
    let mut sum = 0u32;
    for _ in 0..60_000 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        sum = sum.wrapping_add(numbers[(state >> 16) as usize]);
    }
    black_box(sum);
    0
}
