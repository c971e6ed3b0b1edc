//! Reads an array for ever.

use std::hint::black_box;

fn main() {
    let numbers: Vec<u64> = (0..4096).collect();
    loop {
        black_box(numbers.iter().sum::<u64>());
    }
}
