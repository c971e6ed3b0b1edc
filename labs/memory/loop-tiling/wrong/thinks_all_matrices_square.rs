//! Swaps entries across the diagonal in place, which only a square matrix allows.

use crate::Matrix;

pub(crate) fn transpose(matrix: &Matrix) -> Matrix {
    let mut transposed = matrix.clone();
    let side = matrix.rows().min(matrix.columns());
    let stride = matrix.columns();
    for i in 0..side {
        for j in 0..i {
            transposed.entries_mut().swap(i * stride + j, j * stride + i);
        }
    }
    transposed
}
