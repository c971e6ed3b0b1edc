//! Rectangles of a row-major matrix, which can be split both ways.
//!
//! A slice can be split between rows and not between columns, since a row of the left half lies
//! between two of the right. Hence the pointer, and the only unsafe code of the programs.

use std::marker::PhantomData;
use std::slice;

/// A rectangle to read.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    cells: &'a [f32],
    stride: usize,
    rows: usize,
    cols: usize,
}

impl<'a> View<'a> {
    pub(crate) fn new(cells: &'a [f32], rows: usize, cols: usize) -> Self {
        assert_eq!(
            cells.len(),
            rows * cols,
            "a view of {rows} rows and {cols} columns"
        );
        Self {
            cells,
            stride: cols,
            rows,
            cols,
        }
    }

    pub(crate) fn cols(self) -> usize {
        self.cols
    }

    pub(crate) fn row(self, r: usize) -> &'a [f32] {
        &self.cells[r * self.stride..][..self.cols]
    }

    pub(crate) fn split_rows(self, at: usize) -> (Self, Self) {
        let (top, bottom) = self.cells.split_at(at * self.stride);
        (
            Self {
                cells: top,
                rows: at,
                ..self
            },
            Self {
                cells: bottom,
                rows: self.rows - at,
                ..self
            },
        )
    }

    pub(crate) fn split_cols(self, at: usize) -> (Self, Self) {
        (
            Self { cols: at, ..self },
            Self {
                cells: &self.cells[at..],
                cols: self.cols - at,
                ..self
            },
        )
    }
}

/// A rectangle to write. No two live ones share an element.
pub(crate) struct ViewMut<'a> {
    /// The first element; row r starts `stride` · r further on.
    first: *mut f32,
    stride: usize,
    rows: usize,
    cols: usize,
    matrix: PhantomData<&'a mut [f32]>,
}

#[expect(unsafe_code, reason = "a raw pointer is not Send by default")]
// SAFETY: a view stands for a mutable borrow of its own elements, and `&mut [f32]` is Send.
unsafe impl Send for ViewMut<'_> {}

impl<'a> ViewMut<'a> {
    pub(crate) fn new(cells: &'a mut [f32], rows: usize, cols: usize) -> Self {
        assert_eq!(
            cells.len(),
            rows * cols,
            "a view of {rows} rows and {cols} columns"
        );
        Self {
            first: cells.as_mut_ptr(),
            stride: cols,
            rows,
            cols,
            matrix: PhantomData,
        }
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn cols(&self) -> usize {
        self.cols
    }

    /// The same rectangle for a shorter time.
    pub(crate) fn reborrow(&mut self) -> ViewMut<'_> {
        ViewMut {
            matrix: PhantomData,
            ..*self
        }
    }

    #[expect(
        unsafe_code,
        reason = "the rows of a rectangle do not follow each other in memory"
    )]
    pub(crate) fn row(&mut self, r: usize) -> &mut [f32] {
        assert!(r < self.rows, "row {r} of {}", self.rows);
        // SAFETY: `new` has checked that the matrix has `rows` rows of `stride` elements, and
        // splits only shrink the rectangle, so the row's start lies within it.
        let start = unsafe { self.first.add(r * self.stride) };
        // SAFETY: `cols` elements from there belong to this view, which is borrowed mutably, and
        // to no other live one: splits give each element to one of their halves.
        unsafe { slice::from_raw_parts_mut(start, self.cols) }
    }

    pub(crate) fn split_rows(self, at: usize) -> (Self, Self) {
        assert!(at <= self.rows, "a split at row {at} of {}", self.rows);
        let second = Self {
            first: self.offset(at * self.stride),
            rows: self.rows - at,
            ..self
        };
        (Self { rows: at, ..self }, second)
    }

    pub(crate) fn split_cols(self, at: usize) -> (Self, Self) {
        assert!(at <= self.cols, "a split at column {at} of {}", self.cols);
        let second = Self {
            first: self.offset(at),
            cols: self.cols - at,
            ..self
        };
        (Self { cols: at, ..self }, second)
    }

    /// Wrapping, as the second half may be empty and start past the matrix; it is not read then.
    fn offset(&self, elements: usize) -> *mut f32 {
        self.first.wrapping_add(elements)
    }
}
