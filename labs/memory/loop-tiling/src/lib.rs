//! The transpose of a matrix: rows become columns.

mod baseline;
mod matrix;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;

pub use matrix::Matrix;

use lab_kit::{Case, Lab, Seed};

/// `transpose(matrix)` has the entry (i, j) of `matrix` in row j and column i.
pub type Transpose = fn(&Matrix) -> Matrix;

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct LoopTiling;

impl Lab for LoopTiling {
    type Input = Matrix;
    type Output = Matrix;
    type Function = Transpose;

    const BASELINE: Transpose = baseline::transpose;
    const SOLUTION: Transpose = solution::transpose;

    fn call(transpose: Transpose, matrix: &mut Matrix) -> Matrix {
        transpose(matrix)
    }

    fn examples() -> Vec<Case<Matrix>> {
        vec![
            Case::new("two by three", Matrix::counting(2, 3)),
            Case::new("one column", Matrix::counting(4, 1)),
        ]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Matrix>> {
        let drawn = [seed.between(1, 200), seed.between(1, 200)];
        let shapes = [
            [0, 0],
            [0, 5],
            [1, 1],
            [1, 100],
            [100, 1],
            [16, 16],
            // The same shape with other numbers: a remembered result is a wrong one.
            [16, 16],
            [33, 65],
            [128, 64],
            drawn,
        ];
        let case = |[rows, columns]: [usize; 2]| {
            Case::new(
                format!("{rows} × {columns}"),
                Matrix::random(rows, columns, seed),
            )
        };
        shapes
            .into_iter()
            .map(case)
            .chain([Case::new("metered", Self::metered())])
            .collect()
    }

    /// A column of the result is 720 lines of 64 B and the modelled cache holds 512. A row of 720
    /// numbers is 45 lines, an odd number, so the lines of a column spread over all sets of the
    /// cache: the lab measures the distance between uses, not conflicts.
    fn metered() -> Matrix {
        Matrix::random(720, 720, &mut Seed::new(1991))
    }
}
