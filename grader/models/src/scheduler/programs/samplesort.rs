//! Samplesort in √n rows: sort rows, transpose the pieces into buckets, sort the buckets.
//!
//! Oblivious of the machine: rows and buckets are far smaller than any cache, so locality comes
//! from how far apart in time the phases touch the same data.
//!
//! The paper gives no figures for it. Rows scale by the square root only, so at small scales a socket
//! has room for fewer rows than it has workers, and the space-bounded schedulers wait: compare them
//! at full size.

use super::parts::{Array, DOUBLE, INT, Layout};
use crate::scheduler::program::{Program, Range, Script, Size};
use crate::scheduler::scale::Scale;

/// Doubles at full size.
const ITEMS: u64 = 100_000_000;
/// Rows of the block transposition that one strand handles.
const TILE: u64 = 128;
/// Items that one strand of a scan or a copy handles.
const SCAN_LEAF: u64 = 1 << 14;
/// Cycles per item and level of a serial sort.
const SORT_CYCLES: u64 = 10;
/// Bytes per item that a task says it touches: three doubles and three ints.
const BYTES_PER_ITEM: u64 = 3 * DOUBLE + 3 * INT;

/// The program.
#[derive(Clone, Debug)]
pub struct Samplesort {
    items: u64,
    /// Rows, and as many buckets; each holds about as many items as there are rows.
    rows: u64,
    tile: u64,
    scan_leaf: u64,
    values: Array,
    bucketed: Array,
    /// One count per row and bucket, and the offsets of each piece on both sides.
    counts: [Array; 3],
    address_space_bytes: u64,
}

/// A strand: a phase over a part of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SampleStrand {
    phase: Phase,
    /// Rows, buckets or items, by the phase; columns too when blocks are transposed.
    first: u64,
    count: u64,
    column: u64,
    columns: u64,
    ending: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The whole, before its n-th phase.
    Whole(u8),
    SortRows,
    Scan,
    Transpose,
    CopyBack,
    SortBuckets,
}

impl Samplesort {
    /// Samplesort at the paper's size, scaled; rows scale by the square root.
    pub fn new(scale: Scale) -> Self {
        let rows = (scale.of(ITEMS)).isqrt() / 2;
        let rows = rows.max(2);
        let items = scale.of(ITEMS);
        let mut layout = Layout::default();
        let values = layout.array(items, DOUBLE);
        let bucketed = layout.array(items, DOUBLE);
        let mut table = || layout.array(rows * rows, INT);
        let counts = [table(), table(), table()];
        Self {
            items,
            rows,
            tile: (TILE / scale.divisor().isqrt()).max(2),
            scan_leaf: scale.of(SCAN_LEAF),
            values,
            bucketed,
            counts,
            address_space_bytes: layout.end(),
        }
    }

    /// Items before row or bucket `index`; they are equal, as pivots from many samples make them.
    fn start(&self, index: u64) -> u64 {
        self.items * index / self.rows
    }

    fn span(&self, first: u64, count: u64) -> (u64, u64) {
        let start = self.start(first);
        (start, self.start(first + count) - start)
    }

    fn whole_of(&self, phase: Phase) -> SampleStrand {
        let count = match phase {
            Phase::Whole(_) | Phase::CopyBack => self.items,
            Phase::Scan => self.rows * self.rows,
            _ => self.rows,
        };
        SampleStrand {
            phase,
            first: 0,
            count,
            column: 0,
            columns: self.rows,
            ending: false,
        }
    }

    fn leaf(&self, strand: &SampleStrand) -> bool {
        match strand.phase {
            Phase::Transpose => strand.count.max(strand.columns) <= self.tile,
            Phase::Scan | Phase::CopyBack => strand.count <= self.scan_leaf,
            _ => strand.count == 1,
        }
    }

    /// The piece of each of `count` rows that goes to `columns` buckets: a strided range.
    fn pieces(&self, array: Array, strand: &SampleStrand, by_row: bool, write: bool) -> Range {
        let (outer, outers, inner, inners) = if by_row {
            (strand.first, strand.count, strand.column, strand.columns)
        } else {
            (strand.column, strand.columns, strand.first, strand.count)
        };
        let row_items = self.items / self.rows;
        let from = self.start(outer) + row_items * inner / self.rows;
        let items = (row_items * inners / self.rows)
            .max(1)
            .min(self.items - from);
        let one = if write {
            array.write(from, items)
        } else {
            array.read(from, items)
        };
        let fits = (self.items - from - items) / row_items.max(1) + 1;
        Range {
            rows: outers.min(fits),
            stride_bytes: row_items * DOUBLE,
            ..one
        }
    }

    fn work(&self, strand: &SampleStrand, script: &mut Script<SampleStrand>) {
        let SampleStrand {
            first,
            count,
            column,
            columns,
            ..
        } = *strand;
        match strand.phase {
            Phase::SortRows => {
                let (start, items) = self.span(first, count);
                let cycles = items * u64::from(items.max(2).ilog2()) * SORT_CYCLES;
                let counts = self.counts[0].write(first * self.rows, self.rows);
                script.stream(&[self.values.write(start, items)], cycles);
                script.stream(&[self.values.read(start, items), counts], items * 2);
            }
            Phase::Scan => script.stream(
                &[
                    self.counts[0].read(first, count),
                    self.counts[1].write(first, count),
                ],
                count * 2,
            ),
            Phase::Transpose => {
                let table = |array: Array, row: u64, rows: u64, from: u64, width: u64| Range {
                    rows,
                    stride_bytes: self.rows * INT,
                    ..array.read(row * self.rows + from, width)
                };
                let ranges = [
                    table(self.counts[1], first, count, column, columns),
                    table(self.counts[2], column, columns, first, count),
                    self.pieces(self.values, strand, true, false),
                    self.pieces(self.bucketed, strand, false, true),
                ];
                script.stream(&ranges, count * columns * 12);
            }
            Phase::CopyBack => script.stream(
                &[
                    self.bucketed.read(first, count),
                    self.values.write(first, count),
                ],
                count,
            ),
            Phase::SortBuckets => {
                let (start, items) = self.span(first, count);
                let cycles = items * u64::from(items.max(2).ilog2()) * SORT_CYCLES;
                script.stream(&[self.values.write(start, items)], cycles);
            }
            Phase::Whole(_) => {}
        }
    }
}

impl Program for Samplesort {
    type Strand = SampleStrand;

    fn root(&self) -> SampleStrand {
        self.whole_of(Phase::Whole(0))
    }

    fn size(&self, strand: &SampleStrand) -> Size {
        let row_bytes = self.items / self.rows * BYTES_PER_ITEM + self.rows * INT;
        Size::of(match strand.phase {
            Phase::Whole(_) => self.items * BYTES_PER_ITEM,
            Phase::Scan => strand.count * 2 * INT,
            Phase::CopyBack => strand.count * 2 * DOUBLE,
            Phase::Transpose => {
                let items = self.items * strand.count / self.rows * strand.columns / self.rows;
                2 * items * DOUBLE + 2 * strand.count * strand.columns * INT
            }
            Phase::SortRows | Phase::SortBuckets => strand.count * row_bytes,
        })
    }

    fn run(&self, strand: &SampleStrand, script: &mut Script<SampleStrand>) {
        let phases = [
            Phase::SortRows,
            Phase::Scan,
            Phase::Transpose,
            Phase::CopyBack,
            Phase::SortBuckets,
        ];
        if let Phase::Whole(next) = strand.phase {
            if let Some(&phase) = phases.get(usize::from(next)) {
                let rest = SampleStrand {
                    phase: Phase::Whole(next + 1),
                    ..*strand
                };
                script.fork([self.whole_of(phase)], rest);
            }
            return;
        }
        if strand.ending {
            return;
        }
        if self.leaf(strand) {
            self.work(strand, script);
        } else {
            let ending = SampleStrand {
                ending: true,
                ..*strand
            };
            let split_columns = strand.phase == Phase::Transpose && strand.columns > strand.count;
            let halves = if split_columns {
                let left = strand.columns / 2;
                [
                    SampleStrand {
                        columns: left,
                        ..*strand
                    },
                    SampleStrand {
                        column: strand.column + left,
                        columns: strand.columns - left,
                        ..*strand
                    },
                ]
            } else {
                let left = strand.count / 2;
                [
                    SampleStrand {
                        count: left,
                        ..*strand
                    },
                    SampleStrand {
                        first: strand.first + left,
                        count: strand.count - left,
                        ..*strand
                    },
                ]
            };
            script.fork(halves, ending);
        }
    }

    fn part(&self, strand: &SampleStrand) -> usize {
        match strand.phase {
            Phase::Whole(_) | Phase::SortRows => 0,
            Phase::Scan => 1,
            Phase::Transpose => 2,
            Phase::CopyBack => 3,
            Phase::SortBuckets => 4,
        }
    }

    fn address_space_bytes(&self) -> u64 {
        self.address_space_bytes
    }
}
