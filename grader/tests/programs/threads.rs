//! Two threads, one after the other, each filling an array of its own.

use std::{hint::black_box, thread};

fn fill(length: usize) {
    let mut numbers = vec![0u64; length];
    for (place, number) in numbers.iter_mut().enumerate() {
        *number = black_box(place as u64);
    }
    black_box(numbers);
}

fn main() {
    for length in [4096, 32_768] {
        thread::spawn(move || fill(length)).join().unwrap();
    }
}
