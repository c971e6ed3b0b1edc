//! Copies blocks of all sizes from 1 B to 3 KiB: the C library's vector moves and tails.

// Rust's own start reads /proc/self/maps, whose length depends on the tool that looks on.
#![no_main]

use std::hint::black_box;

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let source = vec![7u8; 4096];
    let mut target = vec![0u8; 4096];
    for length in 1..3072 {
        let start = length % 61;
        target[start..start + length].copy_from_slice(black_box(&source[..length]));
        black_box(&target);
    }
    0
}
