//! LU factorisation without pivoting, by quadrants.
//!
//! For the block matrix (A B; C D): factor A; then turn B into the part of U beside it and C into
//! the part of L below it, which do not depend on each other; subtract their product from D; and
//! factor what is left of D. L has ones on its diagonal, and both factors replace the matrix.

use crate::ForkJoin;
use crate::blocks::{Block, BlockMatrix, BlockMut, TILE, Tile};

/// Replaces the matrix by its factors: L below the diagonal, U on and above it.
pub fn lu<R: ForkJoin>(token: &mut R::Token<'_>, matrix: &mut BlockMatrix) {
    factor::<R>(token, matrix.block_mut());
}

fn factor<R: ForkJoin>(token: &mut R::Token<'_>, mut block: BlockMut<'_>) {
    if block.is_empty() {
        return;
    }
    if block.rows == 1 {
        factor_tile(block.tile());
        return;
    }
    let [mut a, mut b, mut c, mut d] = block.quadrants();
    factor::<R>(token, a.reborrow());
    let factored = a.as_block();
    R::join(
        token,
        |token| solve_lower::<R>(token, factored, b.reborrow()),
        |token| solve_upper::<R>(token, factored, c.reborrow()),
    );
    subtract_product::<R>(token, d.reborrow(), c.as_block(), b.as_block());
    factor::<R>(token, d);
}

/// Replaces `x` by L⁻¹ · `x`, for the unit lower triangle L of `factored`.
fn solve_lower<R: ForkJoin>(token: &mut R::Token<'_>, factored: Block<'_>, mut x: BlockMut<'_>) {
    if x.is_empty() {
        return;
    }
    if x.rows == 1 && x.cols == 1 {
        solve_lower_tile(factored.tile(), x.tile());
        return;
    }
    let [l00, _, l10, l11] = factored.quadrants();
    let [x00, x01, x10, x11] = x.quadrants();
    // The columns of x do not depend on each other; its lower half depends on its upper.
    let column = |token: &mut R::Token<'_>, mut upper: BlockMut<'_>, mut lower: BlockMut<'_>| {
        solve_lower::<R>(token, l00, upper.reborrow());
        subtract_product::<R>(token, lower.reborrow(), l10, upper.as_block());
        solve_lower::<R>(token, l11, lower);
    };
    R::join(
        token,
        |token| column(token, x00, x10),
        |token| column(token, x01, x11),
    );
}

/// Replaces `x` by `x` · U⁻¹, for the upper triangle U of `factored`.
fn solve_upper<R: ForkJoin>(token: &mut R::Token<'_>, factored: Block<'_>, mut x: BlockMut<'_>) {
    if x.is_empty() {
        return;
    }
    if x.rows == 1 && x.cols == 1 {
        solve_upper_tile(factored.tile(), x.tile());
        return;
    }
    let [u00, u01, _, u11] = factored.quadrants();
    let [x00, x01, x10, x11] = x.quadrants();
    let row = |token: &mut R::Token<'_>, mut left: BlockMut<'_>, mut right: BlockMut<'_>| {
        solve_upper::<R>(token, u00, left.reborrow());
        subtract_product::<R>(token, right.reborrow(), left.as_block(), u01);
        solve_upper::<R>(token, u11, right);
    };
    R::join(
        token,
        |token| row(token, x00, x01),
        |token| row(token, x10, x11),
    );
}

/// Replaces `d` by `d` − `c` · `b`: four products in parallel, then the four that write to the
/// same quadrants.
fn subtract_product<R: ForkJoin>(
    token: &mut R::Token<'_>,
    mut d: BlockMut<'_>,
    c: Block<'_>,
    b: Block<'_>,
) {
    if d.is_empty() || c.is_empty() {
        return;
    }
    if d.rows == 1 && d.cols == 1 && c.cols == 1 {
        subtract_product_tile(d.tile(), c.tile(), b.tile());
        return;
    }
    let [c00, c01, c10, c11] = c.quadrants();
    let [b00, b01, b10, b11] = b.quadrants();
    four::<R>(
        token,
        d.reborrow().quadrants(),
        [(c00, b00), (c00, b01), (c10, b00), (c10, b01)],
    );
    four::<R>(
        token,
        d.quadrants(),
        [(c01, b10), (c01, b11), (c11, b10), (c11, b11)],
    );
}

fn four<R: ForkJoin>(
    token: &mut R::Token<'_>,
    d: [BlockMut<'_>; 4],
    factors: [(Block<'_>, Block<'_>); 4],
) {
    let [d0, d1, d2, d3] = d;
    let [f0, f1, f2, f3] = factors;
    R::join(
        token,
        |token| {
            R::join(
                token,
                |token| subtract_product::<R>(token, d0, f0.0, f0.1),
                |token| subtract_product::<R>(token, d1, f1.0, f1.1),
            )
        },
        |token| {
            R::join(
                token,
                |token| subtract_product::<R>(token, d2, f2.0, f2.1),
                |token| subtract_product::<R>(token, d3, f3.0, f3.1),
            )
        },
    );
}

fn factor_tile(a: &mut Tile) {
    for k in 0..TILE {
        let (above, below) = a.split_at_mut(k + 1);
        let pivot_row = &above[k];
        for row in below {
            row[k] /= pivot_row[k];
            let factor = row[k];
            for c in k + 1..TILE {
                row[c] -= factor * pivot_row[c];
            }
        }
    }
}

fn solve_lower_tile(l: &Tile, x: &mut Tile) {
    for k in 0..TILE {
        let (above, below) = x.split_at_mut(k + 1);
        for (row, l_row) in below.iter_mut().zip(&l[k + 1..]) {
            for (cell, &solved) in row.iter_mut().zip(&above[k]) {
                *cell -= l_row[k] * solved;
            }
        }
    }
}

fn solve_upper_tile(u: &Tile, x: &mut Tile) {
    for row in x {
        for k in 0..TILE {
            row[k] /= u[k][k];
            let factor = row[k];
            for c in k + 1..TILE {
                row[c] -= factor * u[k][c];
            }
        }
    }
}

fn subtract_product_tile(d: &mut Tile, c: &Tile, b: &Tile) {
    for (d_row, c_row) in d.iter_mut().zip(c) {
        for (&factor, b_row) in c_row.iter().zip(b) {
            for (cell, &value) in d_row.iter_mut().zip(b_row) {
                *cell -= factor * value;
            }
        }
    }
}

/// The largest element of |A − L·U| over the largest of |A|.
#[must_use]
pub fn residual(original: &BlockMatrix, factored: &BlockMatrix) -> f64 {
    let edge = original.edge();
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
            worst = worst.max((original.get(r, c) - value).abs());
            largest = largest.max(original.get(r, c).abs());
        }
    }
    worst / largest
}
