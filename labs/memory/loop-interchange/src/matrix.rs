//! A matrix in one block of memory.

use std::ops::{Index, IndexMut};

use lab_kit::Seed;

/// `rows × columns` numbers, row after row, 4 B each.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    entries: Vec<f32>,
}

lab_kit::compare_fields!(Matrix: rows, columns, entries);

impl Matrix {
    /// All zeros.
    pub fn zero(rows: usize, columns: usize) -> Self {
        Self {
            rows,
            columns,
            entries: vec![0.0; rows * columns],
        }
    }

    /// The matrix with these rows.
    pub fn from_rows<const ROWS: usize, const COLUMNS: usize>(
        rows: [[f32; COLUMNS]; ROWS],
    ) -> Self {
        Self {
            rows: ROWS,
            columns: COLUMNS,
            entries: rows.concat(),
        }
    }

    /// Whole numbers from −8 to 7: sums of their products stay exact in an `f32`.
    pub fn random(rows: usize, columns: usize, seed: &mut Seed) -> Self {
        let mut entries = Vec::with_capacity(rows * columns);
        while entries.len() < rows * columns {
            // Sixteen entries a draw: under Valgrind, making the input should not take longer
            // than using it.
            let bits = seed.bits();
            let drawn = (0..16).map(|nibble| (bits >> (4 * nibble) & 15) as f32 - 8.0);
            entries.extend(drawn.take(rows * columns - entries.len()));
        }
        Self {
            rows,
            columns,
            entries,
        }
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The entries of a row, side by side in memory.
    pub fn row(&self, row: usize) -> &[f32] {
        &self.entries[row * self.columns..][..self.columns]
    }

    /// The entries of a row, to be changed.
    pub fn row_mut(&mut self, row: usize) -> &mut [f32] {
        &mut self.entries[row * self.columns..][..self.columns]
    }
}

impl Index<(usize, usize)> for Matrix {
    type Output = f32;

    fn index(&self, (row, column): (usize, usize)) -> &f32 {
        &self.entries[row * self.columns + column]
    }
}

impl IndexMut<(usize, usize)> for Matrix {
    fn index_mut(&mut self, (row, column): (usize, usize)) -> &mut f32 {
        &mut self.entries[row * self.columns + column]
    }
}
