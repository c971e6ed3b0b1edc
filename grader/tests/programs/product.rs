//! A few rows of the textbook product of two big matrices.

use std::hint::black_box;

const SIZE: usize = 1024;
const ROWS: usize = 4;

/// The first `ROWS` rows of the product; each factor's load belongs to a line of its own.
#[inline(never)]
fn multiply(a: &[f32], b: &[f32], c: &mut [f32]) {
    for i in 0..ROWS {
        for j in 0..SIZE {
            let mut sum = 0.0;
            for k in 0..SIZE {
                let row_entry = a[i * SIZE + k];
                let column_entry = b[k * SIZE + j];
                // The compiler loads the column's entry as an operand of the multiplication.
                sum += row_entry * column_entry; // the column access
            }
            c[i * SIZE + j] = sum;
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
