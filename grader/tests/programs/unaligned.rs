//! Reads and writes words that lie across cache lines and pages.

// Rust's own start reads /proc/self/maps, whose length depends on the tool that looks on.
#![no_main]

use std::hint::black_box;

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let mut bytes = vec![0u8; 64 * 1024];
    for _ in 0..8 {
        for place in (61..bytes.len() - 8).step_by(13) {
            let word: [u8; 8] = bytes[place..place + 8].try_into().unwrap();
            let next = black_box(u64::from_le_bytes(word)) + 1;
            bytes[place..place + 8].copy_from_slice(&next.to_le_bytes());
        }
    }
    black_box(bytes);
    0
}
