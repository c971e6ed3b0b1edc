//! Quad-tree: points sorted into four quadrants, and each quadrant again.

use super::collect::Collector;
use super::parts::{Array, Layout};
use crate::scheduler::program::{Program, Script, Size};
use crate::scheduler::scale::Scale;

/// Points at full size.
const POINTS: u64 = 100_000_000;
/// Two ints.
const POINT_BYTES: u64 = 8;
/// Below this a quadrant is one strand.
const SERIAL: u64 = 1 << 16;
const BLOCK: u64 = 20_000;
/// What the harness says a block touches.
const BLOCK_ANNOTATION_BYTES: u64 = 10_000;
const FIND_CYCLES: u64 = 20;
const MOVE_CYCLES: u64 = 12;
/// Cycles per point and level of the serial sort, three sweeps a level.
const SERIAL_CYCLES: u64 = 30;

/// The program. Points are uniform, so quadrants are equal.
#[derive(Clone, Debug)]
pub struct QuadTree {
    points: u64,
    arrays: [Array; 2],
    collector: Collector,
    serial: u64,
    block_annotation_bytes: u64,
    address_space_bytes: u64,
}

/// A strand on `count` points from `first`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuadStrand {
    first: u64,
    count: u64,
    now_in: u8,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Sort,
    Collect,
    Find(u64),
    Scan,
    Relocate(u64),
    Recur,
    Join,
}

impl QuadTree {
    /// The program at the paper's size, scaled.
    pub fn new(scale: Scale) -> Self {
        let points = scale.of(POINTS);
        let mut layout = Layout::default();
        let arrays = [
            layout.array(points, POINT_BYTES),
            layout.array(points, POINT_BYTES),
        ];
        let collector = Collector {
            bucket_of: layout.array(points, 1),
            block: scale.of(BLOCK),
            find_cycles: FIND_CYCLES,
            move_cycles: MOVE_CYCLES,
        };
        Self {
            points,
            arrays,
            collector,
            serial: scale.of(SERIAL),
            block_annotation_bytes: scale.of(BLOCK_ANNOTATION_BYTES),
            address_space_bytes: layout.end(),
        }
    }

    fn starts(count: u64) -> [u64; 5] {
        [0, count / 4, count / 2, count / 4 * 3, count]
    }
}

impl Program for QuadTree {
    type Strand = QuadStrand;

    fn root(&self) -> QuadStrand {
        QuadStrand {
            first: 0,
            count: self.points,
            now_in: 0,
            stage: Stage::Sort,
        }
    }

    fn size(&self, strand: &QuadStrand) -> Size {
        match strand.stage {
            Stage::Find(_) | Stage::Relocate(_) => Size::of(self.block_annotation_bytes),
            _ => Size::of(strand.count * (2 * POINT_BYTES + 1)),
        }
    }

    fn run(&self, strand: &QuadStrand, script: &mut Script<QuadStrand>) {
        let QuadStrand {
            first,
            count,
            now_in,
            stage,
        } = *strand;
        let from = self.arrays[usize::from(now_in)];
        let to = self.arrays[usize::from(1 - now_in)];
        let with = |stage| QuadStrand { stage, ..*strand };
        let blocks = self.collector.blocks(count);
        match stage {
            Stage::Sort if count < self.serial.max(4) => {
                // Halving per coordinate until boxes hold one point each.
                let levels = u64::from(count.max(2).ilog2()).div_ceil(2);
                script.stream(&[from.write(first, count)], count * levels * SERIAL_CYCLES);
                if now_in == 1 {
                    script.stream(&[from.read(first, count), to.write(first, count)], count);
                }
            }
            Stage::Sort => script.fork([with(Stage::Collect)], with(Stage::Recur)),
            Stage::Collect => {
                script.fork((0..blocks).map(|b| with(Stage::Find(b))), with(Stage::Scan));
            }
            Stage::Find(block) => self.collector.find(from, (first, count), block, script),
            Stage::Scan => {
                script.compute(blocks * 16);
                script.fork(
                    (0..blocks).map(|b| with(Stage::Relocate(b))),
                    with(Stage::Join),
                );
            }
            Stage::Relocate(block) => {
                let starts = Self::starts(count);
                self.collector
                    .relocate((from, to), (first, count), block, &starts, script);
            }
            Stage::Recur => {
                let starts = Self::starts(count);
                let quadrants = starts.windows(2).map(|bounds| QuadStrand {
                    first: first + bounds[0],
                    count: bounds[1] - bounds[0],
                    now_in: 1 - now_in,
                    stage: Stage::Sort,
                });
                script.fork(quadrants.collect::<alloc::vec::Vec<_>>(), with(Stage::Join));
            }
            Stage::Join => {}
        }
    }

    fn part(&self, strand: &QuadStrand) -> usize {
        usize::try_from((self.points / strand.count.max(1)).max(1).ilog2() / 2).expect("small")
    }

    fn address_space_bytes(&self) -> u64 {
        self.address_space_bytes
    }
}
