//! Keeps its buffer between calls to save the zeroing, and so adds to the previous product.

use std::cell::RefCell;

use crate::Matrix;

thread_local! {
    static KEPT: RefCell<Option<Matrix>> = const { RefCell::new(None) };
}

pub(crate) fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    let shape = |matrix: &Matrix| (matrix.rows(), matrix.columns());
    let kept = KEPT.take().filter(|kept| shape(kept) == (a.rows(), b.columns()));
    let mut product = kept.unwrap_or_else(|| Matrix::zero(a.rows(), b.columns()));
    for i in 0..a.rows() {
        for k in 0..b.rows() {
            for j in 0..b.columns() {
                product[(i, j)] += a[(i, k)] * b[(k, j)];
            }
        }
    }
    KEPT.set(Some(product.clone()));
    product
}
