//! A matrix in one block of memory.

use lab_kit::Seed;

/// `rows × columns` numbers, row after row, 4 B each.
#[derive(Debug, Clone, PartialEq)]
pub struct Matrix {
    rows: usize,
    columns: usize,
    entries: Vec<u32>,
}

lab_kit::compare_fields!(Matrix: rows, columns, entries);

impl Matrix {
    /// All zeros.
    pub fn zero(rows: usize, columns: usize) -> Self {
        let entries = vec![0; rows * columns];
        Self {
            rows,
            columns,
            entries,
        }
    }

    /// The matrix whose entries, row after row, are 1, 2, 3, ….
    pub fn counting(rows: usize, columns: usize) -> Self {
        let entries = (1..).take(rows * columns).collect();
        Self {
            rows,
            columns,
            entries,
        }
    }

    /// Any numbers.
    pub fn random(rows: usize, columns: usize, seed: &mut Seed) -> Self {
        let mut matrix = Self::zero(rows, columns);
        for pair in matrix.entries.chunks_mut(2) {
            let bits = seed.bits().to_le_bytes();
            for (entry, bytes) in pair.iter_mut().zip(bits.as_chunks().0) {
                *entry = u32::from_le_bytes(*bytes);
            }
        }
        matrix
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The number of columns.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// All entries: the one in row `i` and column `j` is at `i * columns + j`.
    pub fn entries(&self) -> &[u32] {
        &self.entries
    }

    /// All entries, to be changed.
    pub fn entries_mut(&mut self) -> &mut [u32] {
        &mut self.entries
    }
}
