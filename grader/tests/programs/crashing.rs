//! Writes to address 8 after some work.

use std::hint::black_box;

fn main() {
    let numbers: Vec<u64> = (0..10_000).collect();
    black_box(numbers.iter().sum::<u64>());
    let nowhere = black_box(8 as *mut u64);
    // SAFETY: none: the crash is what the program is for.
    unsafe { nowhere.write_volatile(1) };
}
