//! A matrix whose quadrants are contiguous, so that a program can give them to two workers.
//!
//! The elements lie in tiles of 16 × 16, and the tiles in the order of a recursion that halves
//! every dimension that is still larger than 1: north-west, north-east, south-west, south-east.
//! With a power of two of tiles this is Morton order. A quadrant is then a sub-slice, and the
//! borrow checker itself proves that parallel branches write to different ones.

use crate::random::Random;

/// Edge of a tile in elements: 2 KiB of doubles, so that three tiles fit a 32 KiB L1.
pub const TILE: usize = 16;

/// One tile, row-major.
pub type Tile = [[f64; TILE]; TILE];

/// How many of `n` tiles the first half has.
pub(crate) const fn first_half(n: usize) -> usize {
    n.div_ceil(2)
}

/// A square matrix of doubles in recursive tile order.
#[derive(Clone, Debug, PartialEq)]
pub struct BlockMatrix {
    tiles_per_edge: usize,
    tiles: Vec<Tile>,
}

impl BlockMatrix {
    /// Random elements in 0 … 1 with the diagonal ten times as large, so that a factorisation
    /// without pivoting is stable. Rows and columns that only fill up the last tiles are those of
    /// the identity.
    #[must_use]
    pub fn random(edge: usize, seed: u64) -> Self {
        let tiles_per_edge = edge.div_ceil(TILE);
        let mut matrix = Self {
            tiles_per_edge,
            tiles: vec![[[0.0; TILE]; TILE]; tiles_per_edge * tiles_per_edge],
        };
        let mut random = Random::new(seed);
        for r in 0..matrix.edge() {
            for c in 0..matrix.edge() {
                let inside = r < edge && c < edge;
                let value = match (inside, r == c) {
                    (true, true) => 10.0 * random.unit(),
                    (true, false) => random.unit(),
                    (false, true) => 1.0,
                    (false, false) => 0.0,
                };
                matrix.set(r, c, value);
            }
        }
        matrix
    }

    /// Rows, and columns, filling ones included.
    #[must_use]
    pub fn edge(&self) -> usize {
        self.tiles_per_edge * TILE
    }

    /// The element in row `r` and column `c`.
    #[must_use]
    pub fn get(&self, r: usize, c: usize) -> f64 {
        self.tiles[self.tile_index(r / TILE, c / TILE)][r % TILE][c % TILE]
    }

    fn set(&mut self, r: usize, c: usize, value: f64) {
        let index = self.tile_index(r / TILE, c / TILE);
        self.tiles[index][r % TILE][c % TILE] = value;
    }

    /// Where the tile in tile row `r` and tile column `c` lies: the recursion, followed once.
    fn tile_index(&self, mut r: usize, mut c: usize) -> usize {
        let (mut rows, mut cols) = (self.tiles_per_edge, self.tiles_per_edge);
        let mut index = 0;
        while rows > 1 || cols > 1 {
            let (top, left) = (first_half(rows), first_half(cols));
            let (south, east) = (r >= top, c >= left);
            // Everything above comes first, then what is to the left at the same height.
            let height = if south { rows - top } else { top };
            index += if south { top * cols } else { 0 };
            index += if east { height * left } else { 0 };
            (r, rows) = if south {
                (r - top, rows - top)
            } else {
                (r, top)
            };
            (c, cols) = if east {
                (c - left, cols - left)
            } else {
                (c, left)
            };
        }
        index
    }

    /// The whole matrix as a block.
    pub(crate) fn block_mut(&mut self) -> BlockMut<'_> {
        BlockMut {
            rows: self.tiles_per_edge,
            cols: self.tiles_per_edge,
            tiles: &mut self.tiles,
        }
    }
}

/// A block to read: `rows` × `cols` tiles.
#[derive(Clone, Copy)]
pub(crate) struct Block<'a> {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    tiles: &'a [Tile],
}

/// A block to write: `rows` × `cols` tiles.
pub(crate) struct BlockMut<'a> {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    tiles: &'a mut [Tile],
}

impl<'a> Block<'a> {
    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0 || self.cols == 0
    }

    /// The only tile of a block of one.
    pub(crate) fn tile(&self) -> &'a Tile {
        &self.tiles[0]
    }

    /// North-west, north-east, south-west, south-east. Those past a dimension of 1 are empty.
    pub(crate) fn quadrants(self) -> [Block<'a>; 4] {
        let (top, left) = (first_half(self.rows), first_half(self.cols));
        let (bottom, right) = (self.rows - top, self.cols - left);
        let (north, south) = self.tiles.split_at(top * self.cols);
        let (nw, ne) = north.split_at(top * left);
        let (sw, se) = south.split_at(bottom * left);
        [
            (top, left, nw),
            (top, right, ne),
            (bottom, left, sw),
            (bottom, right, se),
        ]
        .map(|(rows, cols, tiles)| Block { rows, cols, tiles })
    }
}

impl BlockMut<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.rows == 0 || self.cols == 0
    }

    /// The only tile of a block of one.
    pub(crate) fn tile(&mut self) -> &mut Tile {
        &mut self.tiles[0]
    }

    /// The same block, to read.
    pub(crate) fn as_block(&self) -> Block<'_> {
        Block {
            rows: self.rows,
            cols: self.cols,
            tiles: self.tiles,
        }
    }

    /// The same block for a shorter time.
    pub(crate) fn reborrow(&mut self) -> BlockMut<'_> {
        BlockMut {
            rows: self.rows,
            cols: self.cols,
            tiles: self.tiles,
        }
    }
}

impl<'a> BlockMut<'a> {
    /// As [`Block::quadrants`]; the four do not overlap.
    pub(crate) fn quadrants(self) -> [BlockMut<'a>; 4] {
        let (top, left) = (first_half(self.rows), first_half(self.cols));
        let (bottom, right) = (self.rows - top, self.cols - left);
        let (north, south) = self.tiles.split_at_mut(top * self.cols);
        let (nw, ne) = north.split_at_mut(top * left);
        let (sw, se) = south.split_at_mut(bottom * left);
        [
            (top, left, nw),
            (top, right, ne),
            (bottom, left, sw),
            (bottom, right, se),
        ]
        .map(|(rows, cols, tiles)| BlockMut { rows, cols, tiles })
    }
}
