//! The product of two matrices, with the loops in the order of the textbook's formula.
//!
//! Entries are small whole numbers, so every order of adding gives the same bits.

mod baseline;
mod matrix;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;

pub use matrix::Matrix;

use lab_kit::{Case, Lab, Seed};

/// `multiply(a, b)` is the product `a × b`; `a` has as many columns as `b` has rows.
pub type Multiply = fn(&Matrix, &Matrix) -> Matrix;

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct LoopInterchange;

impl Lab for LoopInterchange {
    type Input = (Matrix, Matrix);
    type Output = Matrix;
    type Function = Multiply;

    const BASELINE: Multiply = baseline::multiply;
    const SOLUTION: Multiply = solution::multiply;

    fn call(multiply: Multiply, (a, b): &mut Self::Input) -> Matrix {
        multiply(a, b)
    }

    fn examples() -> Vec<Case<Self::Input>> {
        let a = Matrix::from_rows([[1.0, 2.0], [3.0, 4.0]]);
        let b = Matrix::from_rows([[5.0, 6.0], [7.0, 8.0]]);
        let row = Matrix::from_rows([[1.0, 10.0, 100.0]]);
        let count = Matrix::from_rows([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
        vec![
            Case::new("two by two", (a, b)),
            Case::new("one row", (row, count)),
        ]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Self::Input>> {
        let drawn = [
            seed.between(1, 60),
            seed.between(1, 60),
            seed.between(1, 60),
        ];
        let shapes = [
            [0, 0, 0],
            [3, 0, 2],
            [1, 1, 1],
            [1, 9, 1],
            [7, 7, 7],
            [16, 32, 48],
            drawn,
        ];
        let mut case = |[rows, inner, columns]: [usize; 3]| {
            let name = format!("{rows} × {inner} times {inner} × {columns}");
            let a = Matrix::random(rows, inner, seed);
            Case::new(name, (a, Matrix::random(inner, columns, seed)))
        };
        shapes.into_iter().map(&mut case).collect()
    }

    /// A few rows of a large product: each column of `b` spans 700 lines of 64 B and the modelled
    /// cache holds 512. 700 is no power of two; if it were, a column would fall into a few of the
    /// cache's sets, and the lab would measure conflicts instead of the order of access.
    fn metered() -> Self::Input {
        let seed = &mut Seed::new(4096);
        (
            Matrix::random(10, 700, seed),
            Matrix::random(700, 700, seed),
        )
    }
}
