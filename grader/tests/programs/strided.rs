//! Reads one entry of each cache line, and then one of each page.

use std::hint::black_box;

fn main() {
    let bytes = vec![1u8; 1 << 20];
    for stride in [64, 4096] {
        for _ in 0..4 {
            let sum = bytes.iter().step_by(stride).fold(0u32, |sum, byte| sum + u32::from(*byte));
            black_box(sum);
        }
    }
}
