//! A few rows of the textbook product of two big matrices.

use std::hint::black_box;

const SIZE: usize = 1024;
const ROWS: usize = 4;

/// The first `ROWS` rows of the product.
#[inline(never)]
fn multiply(a: &[f32], b: &[f32], c: &mut [f32]) {
    for (row, products) in a.chunks_exact(SIZE).zip(c.chunks_exact_mut(SIZE)) {
        for (j, product) in products.iter_mut().enumerate() {
            let mut sum = 0.0;
            for (k, row_entry) in row.iter().enumerate() {
                sum += row_entry * b[k * SIZE + j]; // the column access
            }
            *product = sum;
        }
    }
}

fn main() {
    let a = vec![1.0; ROWS * SIZE];
    let b = vec![2.0; SIZE * SIZE];
    let mut c = vec![0.0; ROWS * SIZE];
    multiply(black_box(&a), black_box(&b), black_box(&mut c));
    black_box(c);
}
