//! The naive product of two small matrices: the second is read by columns.

// Rust's own start reads /proc/self/maps, whose length depends on the tool that looks on.
#![no_main]

use std::hint::black_box;

const SIZE: usize = 48;

#[unsafe(no_mangle)]
extern "C" fn main() -> i32 {
    let a: Vec<f32> = (0..SIZE * SIZE).map(|entry| entry as f32).collect();
    let b = a.clone();
    let mut c = vec![0.0f32; SIZE * SIZE];
    for i in 0..SIZE {
        for j in 0..SIZE {
            for k in 0..SIZE {
                c[i * SIZE + j] += black_box(a[i * SIZE + k] * b[k * SIZE + j]);
            }
        }
    }
    black_box(c);
    0
}
