//! Reads an array from its first entry to its last, twice.

use std::hint::black_box;

fn main() {
    let numbers: Vec<u64> = (0..32_768).collect();
    for _ in 0..2 {
        let sum = numbers.iter().fold(0u64, |sum, number| sum.wrapping_add(black_box(*number)));
        black_box(sum);
    }
}
