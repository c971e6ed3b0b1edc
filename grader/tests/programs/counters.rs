//! Adds to counters atomically and plainly: instructions that load and store in one.

// Rust's own start reads /proc/self/maps, whose length depends on the tool that looks on.
#![no_main]

use std::{
    hint::black_box,
    sync::atomic::{AtomicU64, Ordering::SeqCst},
};

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let counters: Vec<AtomicU64> = (0..512).map(AtomicU64::new).collect();
    let mut plain = vec![0u32; 512];
    for round in 0..40_000usize {
        let place = round * 37 % 512;
        counters[place].fetch_add(1, SeqCst);
        let _ = counters[511 - place].compare_exchange(3, 4, SeqCst, SeqCst);
        plain[place] += 1;
        black_box(&mut plain);
    }
    0
}
