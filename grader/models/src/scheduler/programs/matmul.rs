//! Matrix multiplication in two rounds of four quadrant products, matrices kept row by row.

use super::parts::{Array, DOUBLE, Layout};
use crate::scheduler::program::{Access, Program, Range, Script, Size};
use crate::scheduler::scale::Scale;

/// Rows at full size.
const ROWS: u64 = 5120;
/// A product of at most this many rows is one strand.
const BASE: u64 = 128;
/// Hundredths of a cycle per multiplication and addition in the base case.
///
/// Source: the paper's active time under SB, 1.22 s for 5120³ of them on 64 threads at 2.27 GHz.
const CENTICYCLES_PER_PRODUCT: u64 = 125;

/// The program: `C += A × B`.
#[derive(Clone, Debug)]
pub struct Matmul {
    rows: u64,
    base: u64,
    centicycles_per_product: u64,
    matrices: [Array; 3],
    address_space_bytes: u64,
}

/// A strand: a product of square blocks, each given by its first row and column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatmulStrand {
    a: (u64, u64),
    b: (u64, u64),
    c: (u64, u64),
    rows: u64,
    round: u8,
}

impl Matmul {
    /// The program at the paper's size. Rows scale by the square root, so that matrices scale with
    /// the caches, and a product costs that much more, so that computing and missing stay in
    /// proportion.
    pub fn new(scale: Scale) -> Self {
        let root = scale.divisor().isqrt();
        let rows = (ROWS / root).max(1);
        let mut layout = Layout::default();
        let mut matrix = || layout.array(rows * rows, DOUBLE);
        let matrices = [matrix(), matrix(), matrix()];
        Self {
            rows,
            base: (BASE / root).max(1),
            centicycles_per_product: CENTICYCLES_PER_PRODUCT * root,
            matrices,
            address_space_bytes: layout.end(),
        }
    }

    fn block(&self, matrix: usize, (row, column): (u64, u64), rows: u64, access: Access) -> Range {
        let first_row = self.matrices[matrix].range(row * self.rows + column, rows, access);
        Range {
            rows,
            stride_bytes: self.rows * DOUBLE,
            ..first_row
        }
    }
}

impl Program for Matmul {
    type Strand = MatmulStrand;

    fn root(&self) -> MatmulStrand {
        MatmulStrand {
            a: (0, 0),
            b: (0, 0),
            c: (0, 0),
            rows: self.rows,
            round: 0,
        }
    }

    fn size(&self, strand: &MatmulStrand) -> Size {
        Size::of(3 * strand.rows * strand.rows * DOUBLE)
    }

    fn run(&self, strand: &MatmulStrand, script: &mut Script<MatmulStrand>) {
        let MatmulStrand {
            a,
            b,
            c,
            rows,
            round,
        } = *strand;
        if round == 2 {
            return;
        }
        if rows <= self.base || rows % 2 == 1 {
            script.stream(
                &[
                    self.block(0, a, rows, Access::Read),
                    self.block(1, b, rows, Access::Read),
                    self.block(2, c, rows, Access::Write),
                ],
                rows * rows * rows * self.centicycles_per_product / 100,
            );
            return;
        }
        let half = rows / 2;
        // The first round multiplies with the left half of A and the upper half of B.
        let inner = if round == 0 { 0 } else { half };
        let quadrants = [(0, 0), (0, half), (half, 0), (half, half)];
        let children = quadrants.map(|(down, right)| MatmulStrand {
            a: (a.0 + down, a.1 + inner),
            b: (b.0 + inner, b.1 + right),
            c: (c.0 + down, c.1 + right),
            rows: half,
            round: 0,
        });
        script.fork(
            children,
            MatmulStrand {
                round: round + 1,
                ..*strand
            },
        );
    }

    fn address_space_bytes(&self) -> u64 {
        self.address_space_bytes
    }
}
