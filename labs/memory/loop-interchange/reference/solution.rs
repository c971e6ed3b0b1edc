//! The loops in the order i, k, j: the innermost loop walks along rows.

use crate::Matrix;

// ANCHOR: multiply
/// The product `a × b`: its entry (i, j) is row i of `a` times column j of `b`.
pub(crate) fn multiply(a: &Matrix, b: &Matrix) -> Matrix {
    let mut product = Matrix::zero(a.rows(), b.columns());
    for i in 0..a.rows() {
        for k in 0..b.rows() {
            let factor = a[(i, k)];
            for (sum, entry) in product.row_mut(i).iter_mut().zip(b.row(k)) {
                *sum += factor * entry;
            }
        }
    }
    product
}
// ANCHOR_END: multiply
