//! The slow version: frozen, since every score is measured against it.

use crate::Matrix;

// ANCHOR: transpose
/// The transpose: its entry (j, i) is the entry (i, j) of `matrix`.
pub(crate) fn transpose(matrix: &Matrix) -> Matrix {
    let (rows, columns) = (matrix.rows(), matrix.columns());
    let mut transposed = Matrix::zero(columns, rows);
    let (from, to) = (matrix.entries(), transposed.entries_mut());
    for i in 0..rows {
        for j in 0..columns {
            to[j * rows + i] = from[i * columns + j];
        }
    }
    transposed
}
// ANCHOR_END: transpose
