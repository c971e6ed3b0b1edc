//! Matrix product in single precision, by halving the largest dimension.

use crate::ForkJoin;
use crate::random::Random;
use crate::view::{View, ViewMut};

/// A product of m × p by p × n is a base case when m + n + p is at most this.
const BASE_SUM: usize = 64;

/// A row-major matrix of floats.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    rows: usize,
    cols: usize,
    cells: Vec<f32>,
}

impl Matrix {
    /// A matrix of zeros.
    #[must_use]
    pub fn zeros(rows: usize, cols: usize) -> Self {
        Self {
            rows,
            cols,
            cells: vec![0.0; rows * cols],
        }
    }

    /// Random elements in 0 … 1.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "rounded to single precision on purpose"
    )]
    pub fn random(rows: usize, cols: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        Self {
            rows,
            cols,
            cells: (0..rows * cols).map(|_| random.unit() as f32).collect(),
        }
    }

    /// The element in row `r` and column `c`.
    #[must_use]
    pub fn get(&self, r: usize, c: usize) -> f32 {
        self.cells[r * self.cols + c]
    }

    /// How many rows it has.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    fn view(&self) -> View<'_> {
        View::new(&self.cells, self.rows, self.cols)
    }
}

/// Adds `a` · `b` to `c`.
///
/// # Panics
/// Unless `a` has as many columns as `b` has rows, and `c` as many rows and columns as the product.
pub fn matmul<R: ForkJoin>(token: &mut R::Token<'_>, c: &mut Matrix, a: &Matrix, b: &Matrix) {
    assert!(
        a.cols == b.rows && c.rows == a.rows && c.cols == b.cols,
        "a {}×{} matrix times a {}×{} one does not give {}×{}",
        a.rows,
        a.cols,
        b.rows,
        b.cols,
        c.rows,
        c.cols,
    );
    let (rows, cols) = (c.rows, c.cols);
    multiply::<R>(
        token,
        ViewMut::new(&mut c.cells, rows, cols),
        a.view(),
        b.view(),
    );
}

fn multiply<R: ForkJoin>(token: &mut R::Token<'_>, mut c: ViewMut<'_>, a: View<'_>, b: View<'_>) {
    let (m, n, p) = (c.rows(), c.cols(), a.cols());
    if m + n + p <= BASE_SUM {
        base(&mut c, a, b);
    } else if m >= n && m >= p {
        let (c0, c1) = c.split_rows(m / 2);
        let (a0, a1) = a.split_rows(m / 2);
        R::join(
            token,
            |token| multiply::<R>(token, c0, a0, b),
            |token| multiply::<R>(token, c1, a1, b),
        );
    } else if n >= p {
        let (c0, c1) = c.split_cols(n / 2);
        let (b0, b1) = b.split_cols(n / 2);
        R::join(
            token,
            |token| multiply::<R>(token, c0, a, b0),
            |token| multiply::<R>(token, c1, a, b1),
        );
    } else {
        // Both halves add to the same elements: one after the other.
        let (a0, a1) = a.split_cols(p / 2);
        let (b0, b1) = b.split_rows(p / 2);
        multiply::<R>(token, c.reborrow(), a0, b0);
        multiply::<R>(token, c, a1, b1);
    }
}

fn base(c: &mut ViewMut<'_>, a: View<'_>, b: View<'_>) {
    for r in 0..c.rows() {
        let sums = c.row(r);
        for (k, &factor) in a.row(r).iter().enumerate() {
            for (sum, &value) in sums.iter_mut().zip(b.row(k)) {
                *sum += factor * value;
            }
        }
    }
}
