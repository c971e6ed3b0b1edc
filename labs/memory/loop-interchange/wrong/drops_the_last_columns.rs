//! The innermost loop goes in steps of eight and forgets what is left over.

use crate::Matrix;

pub(crate) fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    let mut product = Matrix::zero(a.rows(), b.columns());
    for i in 0..a.rows() {
        for k in 0..b.rows() {
            for chunk in 0..b.columns() / 8 {
                for j in chunk * 8..chunk * 8 + 8 {
                    product[(i, j)] += a[(i, k)] * b[(k, j)];
                }
            }
        }
    }
    product
}
