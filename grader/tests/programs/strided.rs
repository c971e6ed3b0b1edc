//! Reads one entry of each cache line, and then one of each page.

// Rust's own start reads /proc/self/maps, whose length depends on the tool that looks on.
#![no_main]

use std::hint::black_box;

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let bytes = vec![1u8; 1 << 20];
    for stride in [64, 4096] {
        for _ in 0..4 {
            let sum = bytes.iter().step_by(stride).fold(0u32, |sum, byte| sum + u32::from(*byte));
            black_box(sum);
        }
    }
    0
}
