//! Recursive repeated map: `B[i] = f(A[i])`, three times over the whole, then on each half.
//!
//! Four of the levels of the recursion exceed half an L3. A scheduler that lets one socket finish
//! what fits its L3 pays for memory on those levels alone; one that does not pays on all.

use super::parts::{Array, DOUBLE, Layout};
use crate::scheduler::program::{Program, Script, Size};
use crate::scheduler::scale::Scale;

/// Doubles in each array at full size.
const ITEMS: u64 = 10_000_000;
/// The recursion ends at this many items.
const BASE: u64 = 1 << 13;
/// A map of fewer items is one strand.
const MAP_LEAF: u64 = 1 << 14;
/// Maps per level of the recursion.
const REPEATS: u32 = 3;
/// Cycles to compute one item when the data is there; hidden behind memory wherever that is busy.
const CYCLES_PER_ITEM: u64 = 2;

/// The program.
#[derive(Clone, Debug)]
pub struct Rrm {
    items: u64,
    base: u64,
    map_leaf: u64,
    from: Array,
    to: Array,
    address_space_bytes: u64,
}

/// A strand: a stage of one of the three functions, on `count` items from `first`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RrmStrand {
    first: u64,
    count: u64,
    stage: Stage,
    /// Halvings of the whole so far.
    level: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Repeat maps over the range, then recur.
    Recur,
    Halve,
    /// Maps left to do.
    Repeat(u32),
    Map,
    Join,
}

impl Rrm {
    /// RRM at the paper's size, scaled.
    pub fn new(scale: Scale) -> Self {
        Self::with_sizes(scale.of(ITEMS), scale.of(BASE), scale.of(MAP_LEAF))
    }

    /// RRM on 1024 items, with leaves of 64: a few hundred strands, small enough to draw.
    pub fn drawable() -> Self {
        Self::with_sizes(1024, 32, 128)
    }

    fn with_sizes(items: u64, base: u64, map_leaf: u64) -> Self {
        let mut layout = Layout::default();
        let from = layout.array(items, DOUBLE);
        let to = layout.array(items, DOUBLE);
        Self {
            items,
            base,
            map_leaf,
            from,
            to,
            address_space_bytes: layout.end(),
        }
    }
}

impl Program for Rrm {
    type Strand = RrmStrand;

    fn root(&self) -> RrmStrand {
        RrmStrand {
            first: 0,
            count: self.items,
            stage: Stage::Recur,
            level: 0,
        }
    }

    fn size(&self, strand: &RrmStrand) -> Size {
        Size::of(strand.count * 2 * DOUBLE)
    }

    fn run(&self, strand: &RrmStrand, script: &mut Script<RrmStrand>) {
        let RrmStrand {
            first,
            count,
            stage,
            level,
        } = *strand;
        let with = |stage| RrmStrand {
            first,
            count,
            stage,
            level,
        };
        let (left, right) = (count / 2, count - count / 2);
        let halves = |stage, level| {
            [
                RrmStrand {
                    first,
                    count: left,
                    stage,
                    level,
                },
                RrmStrand {
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
            Stage::Repeat(maps @ 1..) => {
                script.fork([with(Stage::Map)], with(Stage::Repeat(maps - 1)));
            }
            Stage::Map if count < self.map_leaf => script.stream(
                &[self.from.read(first, count), self.to.write(first, count)],
                count * CYCLES_PER_ITEM,
            ),
            Stage::Map => script.fork(halves(Stage::Map, level), with(Stage::Join)),
            Stage::Recur | Stage::Repeat(0) | Stage::Join => {}
        }
    }

    fn part(&self, strand: &RrmStrand) -> usize {
        usize::from(strand.level)
    }

    fn address_space_bytes(&self) -> u64 {
        self.address_space_bytes
    }
}
