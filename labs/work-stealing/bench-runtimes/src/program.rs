//! The five programs with the inputs that the table shows.

use anyhow::{Context, ensure};
use programs::fib::fib;
use programs::matmul::{self, Matrix};
use programs::plu::{self, PanelMatrix, TallPanel};
use programs::quicksort;
use programs::{BlockMatrix, ForkJoin, lu};

const SEED: u64 = 0xC1C1E;

/// Rows of a panel: those of plu's first one.
const PANEL_ROWS: usize = 1025;

/// The names on the command line, in the table's order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Program {
    /// Nothing but joins.
    Fib,
    /// Factorisation by quadrants.
    Lu,
    /// Product of two matrices.
    Matmul,
    /// Factorisation with partial pivoting.
    Plu,
    /// Sorting in place.
    Quicksort,
    /// What plu does in each of its panels, and nothing else.
    Panels,
}

/// An input on which a program can be run once.
pub(crate) enum Work {
    Fib(u64, Option<u64>),
    Lu(BlockMatrix, BlockMatrix),
    Matmul(Matrix, Matrix, Matrix),
    Plu(PanelMatrix, PanelMatrix, Vec<usize>),
    Quicksort(Vec<u32>, u64),
    Panels(Vec<TallPanel>, Vec<TallPanel>),
}

impl Program {
    /// Cilk's.
    pub(crate) const FIVE: [Self; 5] = [
        Self::Fib,
        Self::Lu,
        Self::Matmul,
        Self::Plu,
        Self::Quicksort,
    ];
    /// Those, and what was cut out of one of them.
    pub(crate) const ALL: [Self; 6] = [
        Self::Fib,
        Self::Lu,
        Self::Matmul,
        Self::Plu,
        Self::Quicksort,
        Self::Panels,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Fib => "fib",
            Self::Lu => "lu",
            Self::Matmul => "matmul",
            Self::Plu => "plu",
            Self::Quicksort => "quicksort",
            Self::Panels => "panels",
        }
    }

    /// The size that the table shows.
    pub(crate) fn full_size(self) -> usize {
        match self {
            Self::Fib => 34,
            Self::Lu => 1024,
            Self::Matmul => 1000,
            Self::Plu => 1025,
            Self::Quicksort => 10_240_000,
            Self::Panels => 64,
        }
    }

    pub(crate) fn input(self, size: usize) -> Work {
        match self {
            Self::Fib => Work::Fib(size as u64, None),
            Self::Lu => {
                let matrix = BlockMatrix::random(size, SEED);
                Work::Lu(matrix.clone(), matrix)
            }
            Self::Matmul => Work::Matmul(
                Matrix::zeros(size, size),
                Matrix::random(size, size, SEED),
                Matrix::random(size, size, SEED + 1),
            ),
            Self::Plu => {
                let matrix = PanelMatrix::random(size, SEED);
                Work::Plu(matrix.clone(), matrix, Vec::new())
            }
            Self::Quicksort => {
                let data = quicksort::random(size, SEED);
                let sum = checksum(&data);
                Work::Quicksort(data, sum)
            }
            Self::Panels => {
                let panels: Vec<_> = (0..size as u64)
                    .map(|panel| TallPanel::random(PANEL_ROWS, SEED + panel))
                    .collect();
                Work::Panels(panels.clone(), panels)
            }
        }
    }
}

/// The same for every order of the elements; that it differs for different elements is likely.
fn checksum(data: &[u32]) -> u64 {
    data.iter()
        .map(|&x| {
            u64::from(x)
                .wrapping_mul(0x9E37_79B9_7F4A_7C15)
                .rotate_left(29)
        })
        .fold(0, u64::wrapping_add)
}

impl Work {
    /// What is timed.
    pub(crate) fn run<R: ForkJoin>(&mut self, token: &mut R::Token<'_>) {
        match self {
            Self::Fib(n, result) => *result = Some(fib::<R>(token, std::hint::black_box(*n))),
            Self::Lu(_, matrix) => lu::lu::<R>(token, matrix),
            Self::Matmul(c, a, b) => matmul::matmul::<R>(token, c, a, b),
            Self::Plu(_, matrix, swaps) => *swaps = plu::plu::<R>(token, matrix),
            Self::Quicksort(data, _) => quicksort::quicksort::<R>(token, data),
            Self::Panels(_, panels) => {
                for panel in panels {
                    panel.factor::<R>(token);
                }
            }
        }
    }

    /// Checks the result.
    pub(crate) fn check(&self) -> anyhow::Result<String> {
        match self {
            Self::Fib(n, result) => {
                let (mut a, mut b) = (0, 1);
                for _ in 0..*n {
                    (a, b) = (b, a + b);
                }
                let result = result.context("fib has not run")?;
                ensure!(result == a, "fib({n}) gave {result} instead of {a}");
                Ok(format!("{result}"))
            }
            Self::Lu(original, factored) => residual(lu::residual(original, factored), 1e-5),
            Self::Plu(original, factored, swaps) => {
                residual(plu::residual(original, factored, swaps), 1e-5)
            }
            Self::Matmul(c, a, b) => {
                // Every element of a few rows, against double precision.
                let edge = c.rows();
                let mut worst = 0.0_f64;
                for r in (0..edge).step_by(edge.div_ceil(16).max(1)) {
                    for col in 0..edge {
                        let sum: f64 = (0..edge)
                            .map(|k| f64::from(a.get(r, k)) * f64::from(b.get(k, col)))
                            .sum();
                        worst = worst.max((f64::from(c.get(r, col)) - sum).abs() / sum);
                    }
                }
                residual(worst, 1e-5)
            }
            Self::Quicksort(data, sum) => {
                ensure!(data.is_sorted(), "the result is not sorted");
                ensure!(checksum(data) == *sum, "sorting has changed the elements");
                Ok("sorted".to_owned())
            }
            Self::Panels(originals, factored) => {
                for (original, factored) in originals.iter().zip(factored) {
                    let mut expected = original.clone();
                    expected.factor::<programs::Serial>(&mut ());
                    ensure!(*factored == expected, "a panel is not the serial elision's");
                }
                Ok("as the serial elision".to_owned())
            }
        }
    }
}

fn residual(value: f64, limit: f64) -> anyhow::Result<String> {
    ensure!(
        value < limit,
        "the residual is {value:.1e}; it must be below {limit:.0e}"
    );
    Ok(format!("residual {value:.1e}"))
}
