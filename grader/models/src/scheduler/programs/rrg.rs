//! Recursive repeated gather: `B[i] = A[I[i] mod n]`, with RRM's recursion.
//!
//! `n` is the size of the leaf, so a leaf gathers within its own part of `A`, which a private cache
//! holds: the L3 sees each line of it once, in whatever order.

use super::parts::{Array, DOUBLE, INT, Layout};
use crate::scheduler::program::{Program, Script, Size};
use crate::scheduler::scale::Scale;

/// Doubles in each array at full size.
const ITEMS: u64 = 10_000_000;
/// The recursion ends at this many items.
const BASE: u64 = 1 << 13;
/// A gather of fewer items is one strand.
const GATHER_LEAF: u64 = 1 << 14;
/// Gathers per level of the recursion.
const REPEATS: u32 = 3;
/// Cycles to compute one item when the data is there; hidden behind memory wherever that is busy.
const CYCLES_PER_ITEM: u64 = 12;

/// The program.
#[derive(Clone, Debug)]
pub struct Rrg {
    items: u64,
    base: u64,
    gather_leaf: u64,
    from: Array,
    to: Array,
    indices: Array,
    address_space_bytes: u64,
}

/// A strand: a stage of one of the three functions, on `count` items from `first`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RrgStrand {
    first: u64,
    count: u64,
    stage: Stage,
    /// Halvings of the whole so far, gathers not counted.
    level: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Repeat gathers over the range, then recur.
    Recur,
    Halve,
    /// Gathers left to do.
    Repeat(u32),
    Gather,
    Join,
}

impl Rrg {
    /// RRG at the paper's size, scaled.
    pub fn new(scale: Scale) -> Self {
        let items = scale.of(ITEMS);
        let mut layout = Layout::default();
        let from = layout.array(items, DOUBLE);
        let to = layout.array(items, DOUBLE);
        let indices = layout.array(items, INT);
        Self {
            items,
            base: scale.of(BASE),
            gather_leaf: scale.of(GATHER_LEAF),
            from,
            to,
            indices,
            address_space_bytes: layout.end(),
        }
    }
}

impl Program for Rrg {
    type Strand = RrgStrand;

    fn root(&self) -> RrgStrand {
        RrgStrand {
            first: 0,
            count: self.items,
            stage: Stage::Recur,
            level: 0,
        }
    }

    fn size(&self, strand: &RrgStrand) -> Size {
        Size::of(strand.count * (2 * DOUBLE + INT))
    }

    fn run(&self, strand: &RrgStrand, script: &mut Script<RrgStrand>) {
        let RrgStrand {
            first,
            count,
            stage,
            level,
        } = *strand;
        let with = |stage| RrgStrand {
            first,
            count,
            stage,
            level,
        };
        let (left, right) = (count / 2, count - count / 2);
        let halves = |stage, level| {
            [
                RrgStrand {
                    first,
                    count: left,
                    stage,
                    level,
                },
                RrgStrand {
                    first: first + left,
                    count: right,
                    stage,
                    level,
                },
            ]
        };
        match stage {
            Stage::Recur if count > self.base => {
                script.fork([with(Stage::Repeat(REPEATS))], with(Stage::Halve));
            }
            Stage::Halve => script.fork(halves(Stage::Recur, level + 1), with(Stage::Join)),
            Stage::Repeat(gathers @ 1..) => {
                script.fork([with(Stage::Gather)], with(Stage::Repeat(gathers - 1)));
            }
            Stage::Gather if count < self.gather_leaf => script.stream(
                &[
                    self.indices.read(first, count),
                    self.from.read(first, count),
                    self.to.write(first, count),
                ],
                count * CYCLES_PER_ITEM,
            ),
            Stage::Gather => script.fork(halves(Stage::Gather, level), with(Stage::Join)),
            Stage::Recur | Stage::Repeat(0) | Stage::Join => {}
        }
    }

    fn part(&self, strand: &RrgStrand) -> usize {
        usize::from(strand.level)
    }

    fn address_space_bytes(&self) -> u64 {
        self.address_space_bytes
    }
}
