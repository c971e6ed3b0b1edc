//! The loops are interchanged, and so, by mistake, are the factors' indices.

use crate::Matrix;

pub(crate) fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    let mut product = Matrix::zero(a.rows(), b.columns());
    for i in 0..a.rows().min(b.columns()) {
        for k in 0..b.rows() {
            for j in 0..b.columns().min(a.rows()) {
                product[(j, i)] += a[(i, k)] * b[(k, j)];
            }
        }
    }
    product
}
