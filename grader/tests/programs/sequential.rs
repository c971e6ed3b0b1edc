//! Reads an array from its first entry to its last, twice.

// Rust's own start reads /proc/self/maps, whose length depends on the tool that looks on.
#![no_main]

use std::hint::black_box;

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let numbers: Vec<u64> = (0..32_768).collect();
    for _ in 0..2 {
        let sum = numbers.iter().fold(0u64, |sum, number| sum.wrapping_add(black_box(*number)));
        black_box(sum);
    }
    0
}
