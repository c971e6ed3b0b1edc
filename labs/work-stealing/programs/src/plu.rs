//! LU factorisation with partial pivoting, by panels of columns.
//!
//! Factor the left half of the columns, bring the right half up to date with it (swap the same
//! rows, solve for its part of U, subtract L · U), then factor the right half. A single panel of
//! 16 columns is factored column by column: find the largest element in parallel, swap its row to
//! the diagonal, eliminate below it in parallel.

use crate::ForkJoin;
use crate::par::{for_each_chunk, map_reduce};
use crate::random::Random;

/// Columns of a panel.
pub const PANEL: usize = 16;

/// Rows per task, where the rows of one panel are shared out.
const ROW_GRAIN: usize = 16;

/// The part of a row that lies in one panel.
type Segment = [f64; PANEL];

/// A square matrix of doubles in panels of 16 columns, each row-major.
#[derive(Clone, Debug, PartialEq)]
pub struct PanelMatrix {
    panels: Vec<Vec<Segment>>,
}

impl PanelMatrix {
    /// Random elements in 0 … 1.
    #[must_use]
    pub fn random(edge: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        Self::from_fn(edge, |_, _| random.unit())
    }

    /// The matrix of `edge` rows whose elements `cell` gives for each row and column. Rows and
    /// columns that only fill up the last panel are those of the identity.
    #[must_use]
    pub fn from_fn(edge: usize, mut cell: impl FnMut(usize, usize) -> f64) -> Self {
        let panels = edge.div_ceil(PANEL);
        let mut padded = |r: usize, c: usize| match (r < edge && c < edge, r == c) {
            (true, _) => cell(r, c),
            (false, true) => 1.0,
            (false, false) => 0.0,
        };
        let mut panel = |p: usize| -> Vec<Segment> {
            (0..panels * PANEL)
                .map(|r| std::array::from_fn(|c| padded(r, p * PANEL + c)))
                .collect()
        };
        Self {
            panels: (0..panels).map(&mut panel).collect(),
        }
    }

    /// Rows, and columns, filling ones included.
    #[must_use]
    pub fn edge(&self) -> usize {
        self.panels.len() * PANEL
    }

    /// The element in row `r` and column `c`.
    #[must_use]
    pub fn get(&self, r: usize, c: usize) -> f64 {
        self.panels[c / PANEL][r][c % PANEL]
    }
}

/// Replaces the matrix by its factors, L below the diagonal and U on and above it, and returns
/// for each column the row that was swapped with the diagonal one, in order.
///
/// A singular matrix gives a zero on the diagonal of U and leaves the column below it as it is.
pub fn plu<R: ForkJoin>(token: &mut R::Token<'_>, matrix: &mut PanelMatrix) -> Vec<usize> {
    let mut swaps = vec![0; matrix.edge()];
    factor::<R>(token, &mut matrix.panels, 0, &mut swaps);
    swaps
}

/// A tall matrix of sixteen columns: the part of the work whose tasks are small.
#[derive(Clone, Debug, PartialEq)]
pub struct TallPanel(Vec<Segment>);

impl TallPanel {
    /// Random elements in 0 … 1.
    #[must_use]
    pub fn random(rows: usize, seed: u64) -> Self {
        let mut random = Random::new(seed);
        let mut row = |_| std::array::from_fn(|_| random.unit());
        Self((0..rows.max(PANEL)).map(&mut row).collect())
    }

    /// Factors it; returns for each column the row that was swapped with the diagonal one.
    pub fn factor<R: ForkJoin>(&mut self, token: &mut R::Token<'_>) -> [usize; PANEL] {
        let mut swaps = [0; PANEL];
        factor_panel::<R>(token, &mut self.0, 0, &mut swaps);
        swaps
    }
}

/// Factors neighbouring panels, the first of which starts at column `first`; rows above `first`
/// are done. `swaps` has an entry per column of these panels.
fn factor<R: ForkJoin>(
    token: &mut R::Token<'_>,
    panels: &mut [Vec<Segment>],
    first: usize,
    swaps: &mut [usize],
) {
    match panels {
        [] => {}
        [panel] => factor_panel::<R>(token, panel, first, swaps),
        _ => {
            let half = panels.len() / 2;
            let middle = first + half * PANEL;
            let (left, right) = panels.split_at_mut(half);
            let (left_swaps, right_swaps) = swaps.split_at_mut(half * PANEL);
            factor::<R>(token, left, first, left_swaps);
            let (done, done_swaps) = (&*left, &*left_swaps);
            for_each_chunk::<R, _, _>(
                token,
                right,
                0,
                1,
                &|token: &mut R::Token<'_>, _, panel: &mut [Vec<Segment>]| {
                    for panel in panel {
                        swap_rows(panel, first, done_swaps);
                        update::<R>(token, done, first, panel);
                    }
                },
            );
            factor::<R>(token, right, middle, right_swaps);
            let done_swaps = &*right_swaps;
            for_each_chunk::<R, _, _>(
                token,
                left,
                0,
                1,
                &|_: &mut R::Token<'_>, _, panel: &mut [Vec<Segment>]| {
                    for panel in panel {
                        swap_rows(panel, middle, done_swaps);
                    }
                },
            );
        }
    }
}

/// Swaps row `first` + i with the i-th entry of `swaps`, in order.
fn swap_rows(panel: &mut [Segment], first: usize, swaps: &[usize]) {
    for (i, &other) in swaps.iter().enumerate() {
        panel.swap(first + i, other);
    }
}

fn factor_panel<R: ForkJoin>(
    token: &mut R::Token<'_>,
    panel: &mut [Segment],
    first: usize,
    swaps: &mut [usize],
) {
    for (k, swap) in swaps.iter_mut().enumerate() {
        let diagonal = first + k;
        let (_, pivot) = map_reduce::<R, _, _, _, _>(
            token,
            &panel[diagonal..],
            diagonal,
            ROW_GRAIN,
            &|start, rows: &[Segment]| {
                let mut best = (f64::NEG_INFINITY, start);
                for (i, row) in rows.iter().enumerate() {
                    if row[k].abs() > best.0 {
                        best = (row[k].abs(), start + i);
                    }
                }
                best
            },
            &|a: (f64, usize), b: (f64, usize)| if b.0 > a.0 { b } else { a },
        );
        *swap = pivot;
        panel.swap(diagonal, pivot);
        let (above, below) = panel.split_at_mut(diagonal + 1);
        let pivot_row = &above[diagonal];
        if pivot_row[k] == 0.0 {
            continue;
        }
        for_each_chunk::<R, _, _>(
            token,
            below,
            0,
            ROW_GRAIN,
            &|_: &mut R::Token<'_>, _, rows: &mut [Segment]| {
                for row in rows {
                    row[k] /= pivot_row[k];
                    let factor = row[k];
                    for c in k + 1..PANEL {
                        row[c] -= factor * pivot_row[c];
                    }
                }
            },
        );
    }
}

/// Brings a panel up to date with the factored panels to its left, the first at column `first`.
fn update<R: ForkJoin>(
    token: &mut R::Token<'_>,
    done: &[Vec<Segment>],
    first: usize,
    panel: &mut [Segment],
) {
    // The rows of U first: each panel on the left gives sixteen, and takes part in those below.
    for (p, left) in done.iter().enumerate() {
        let top = first + p * PANEL;
        let (above, below) = panel.split_at_mut(top + PANEL);
        let solved = &mut above[top..];
        for k in 0..PANEL {
            let (upper, lower) = solved.split_at_mut(k + 1);
            for (row, l) in lower.iter_mut().zip(&left[top + k + 1..]) {
                subtract(row, l[k], &upper[k]);
            }
        }
        let solved = &*solved;
        for_each_chunk::<R, _, _>(
            token,
            below,
            top + PANEL,
            ROW_GRAIN,
            &|_: &mut R::Token<'_>, start, rows: &mut [Segment]| {
                for (row, l) in rows.iter_mut().zip(&left[start..]) {
                    for (&factor, u) in l.iter().zip(solved) {
                        subtract(row, factor, u);
                    }
                }
            },
        );
    }
}

fn subtract(row: &mut Segment, factor: f64, by: &Segment) {
    for (cell, &value) in row.iter_mut().zip(by) {
        *cell -= factor * value;
    }
}

/// The largest element of |P·A − L·U| over the largest of |A|.
#[must_use]
pub fn residual(original: &PanelMatrix, factored: &PanelMatrix, swaps: &[usize]) -> f64 {
    let edge = original.edge();
    let mut permuted = original.clone();
    for panel in &mut permuted.panels {
        swap_rows(panel, 0, swaps);
    }
    let (mut worst, mut largest) = (0.0_f64, 0.0_f64);
    let mut product = vec![0.0; edge];
    for r in 0..edge {
        product.fill(0.0);
        for k in 0..=r {
            let l = if k == r { 1.0 } else { factored.get(r, k) };
            for (c, cell) in product.iter_mut().enumerate().skip(k) {
                *cell += l * factored.get(k, c);
            }
        }
        for (c, &value) in product.iter().enumerate() {
            worst = worst.max((permuted.get(r, c) - value).abs());
            largest = largest.max(permuted.get(r, c).abs());
        }
    }
    worst / largest
}
