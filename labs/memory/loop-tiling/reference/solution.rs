//! Band by band: the lines that a band of rows is read from stay in the cache while they are used.

use crate::Matrix;

// ANCHOR: transpose
/// Rows of a band: one line of 64 B for each fills half of an L1 cache of 32 KiB.
const BAND: usize = 256;

/// The transpose: its entry (j, i) is the entry (i, j) of `matrix`.
pub(crate) fn transpose(matrix: &Matrix) -> Matrix {
    let (rows, columns) = (matrix.rows(), matrix.columns());
    let mut transposed = Matrix::zero(columns, rows);
    let (from, to) = (matrix.entries(), transposed.entries_mut());
    for top in (0..rows).step_by(BAND) {
        let bottom = rows.min(top + BAND);
        for j in 0..columns {
            let row = &mut to[j * rows..][top..bottom];
            for (entry, i) in row.iter_mut().zip(top..) {
                *entry = from[i * columns + j];
            }
        }
    }
    transposed
}
// ANCHOR_END: transpose
