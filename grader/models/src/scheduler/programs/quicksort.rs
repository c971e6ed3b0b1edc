//! Quicksort with a parallel partition: blocks count, then move into the other array.
//!
//! A partition that moves between arrays reads the data twice and writes it once per level of the
//! recursion. Values are not simulated: where a pivot falls is drawn from the place of the range,
//! as the median of three uniform numbers, so every scheduler sees the same tree.

use super::parts::{Array, DOUBLE, Layout};
use crate::scheduler::prng::{Prng, mix};
use crate::scheduler::program::{Program, Script, Size};
use crate::scheduler::scale::Scale;

/// Doubles at full size.
const ITEMS: u64 = 100_000_000;
/// Below this a range is partitioned by one strand, in place.
const SPLIT: u64 = 1 << 17;
/// Below this a range is sorted by one strand.
const SERIAL: u64 = 1 << 14;
/// A parallel partition has one block per this many items,
const BLOCK: u64 = 20_000;
/// and this many blocks at most.
const MOST_BLOCKS: u64 = 126;
/// What the harness says a block touches, whatever it touches. The model warns about it.
const BLOCK_ANNOTATION_BYTES: u64 = 10_000;
/// Cycles to look at one item once.
const CYCLES_PER_ITEM: u64 = 10;

/// Two arrays and how to sort a range of one into itself with the help of the other.
#[derive(Clone, Debug)]
pub(crate) struct QuickSorter {
    arrays: [Array; 2],
    split: u64,
    serial: u64,
    block: u64,
    block_annotation_bytes: u64,
}

/// A strand of a quicksort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuickStrand {
    first: u64,
    count: u64,
    /// Which array the items are in.
    now_in: u8,
    /// Which array they belong in.
    belongs_in: u8,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Sort,
    CountBlock(u64),
    Move,
    MoveBlock(u64),
    Recur,
    Join,
}

impl QuickSorter {
    pub(crate) fn new(arrays: [Array; 2], scale: Scale) -> Self {
        Self {
            arrays,
            split: scale.of(SPLIT),
            serial: scale.of(SERIAL),
            block: scale.of(BLOCK),
            block_annotation_bytes: scale.of(BLOCK_ANNOTATION_BYTES),
        }
    }

    /// Sorts `count` items from `first` of array `array` in place.
    pub(crate) fn sort(first: u64, count: u64, now_in: u8, belongs_in: u8) -> QuickStrand {
        QuickStrand {
            first,
            count,
            now_in,
            belongs_in,
            stage: Stage::Sort,
        }
    }

    fn blocks(&self, count: u64) -> u64 {
        (1 + count / self.block).min(MOST_BLOCKS)
    }

    /// Items before block `index` of a range of `count`.
    fn before(&self, count: u64, index: u64) -> u64 {
        count * index / self.blocks(count)
    }

    /// How many of the items are below the pivot, in millionths.
    fn below_pivot_ppm(first: u64, count: u64) -> u64 {
        Self::median_of_three(&mut Prng::new(mix(first ^ mix(count))))
    }

    fn median_of_three(prng: &mut Prng) -> u64 {
        let mut drawn = [
            prng.below(1_000_001),
            prng.below(1_000_001),
            prng.below(1_000_001),
        ];
        drawn.sort_unstable();
        drawn[1]
    }

    fn below_pivot(strand: &QuickStrand) -> u64 {
        let ppm = Self::below_pivot_ppm(strand.first, strand.count);
        // The pivot itself goes to neither side.
        ((strand.count - 1) * ppm) / 1_000_000
    }

    pub(crate) fn size(&self, strand: &QuickStrand) -> Size {
        match strand.stage {
            Stage::CountBlock(_) | Stage::MoveBlock(_) => Size::of(self.block_annotation_bytes),
            _ if strand.count < self.split => Size::of(strand.count * DOUBLE),
            _ => Size::of(strand.count * 2 * DOUBLE),
        }
    }

    pub(crate) fn run<S>(
        &self,
        strand: &QuickStrand,
        script: &mut Script<S>,
        wrap: impl Fn(QuickStrand) -> S,
    ) {
        let QuickStrand {
            first,
            count,
            now_in,
            belongs_in,
            stage,
        } = *strand;
        let from = self.arrays[usize::from(now_in)];
        let to = self.arrays[usize::from(1 - now_in)];
        let with = |stage| wrap(QuickStrand { stage, ..*strand });
        let copy = |script: &mut Script<S>| {
            if now_in != belongs_in {
                script.stream(&[from.read(first, count), to.write(first, count)], count);
            }
        };
        match stage {
            Stage::Sort if count < self.serial.max(3) => {
                let cycles = count * u64::from(count.max(2).ilog2()) * CYCLES_PER_ITEM;
                script.stream(&[from.write(first, count)], cycles);
                copy(script);
            }
            Stage::Sort if count < self.split => {
                copy(script);
                let place = self.arrays[usize::from(belongs_in)];
                script.stream(&[place.write(first, count)], count * CYCLES_PER_ITEM);
                self.recur(strand, belongs_in, script, wrap);
            }
            Stage::Sort => {
                let blocks = 0..self.blocks(count);
                script.fork(
                    blocks.map(|b| with(Stage::CountBlock(b))),
                    with(Stage::Move),
                );
            }
            Stage::Move => {
                let blocks = 0..self.blocks(count);
                script.fork(
                    blocks.map(|b| with(Stage::MoveBlock(b))),
                    with(Stage::Recur),
                );
            }
            Stage::CountBlock(block) => {
                let (start, end) = (self.before(count, block), self.before(count, block + 1));
                let range = from.read(first + start, end - start);
                script.stream(&[range], (end - start) * CYCLES_PER_ITEM);
            }
            Stage::MoveBlock(block) => {
                let (start, end) = (self.before(count, block), self.before(count, block + 1));
                let below = Self::below_pivot(strand);
                let less = |items: u64| items * below / count;
                let greater_start = first + below + start - less(start);
                let less_count = less(end) - less(start);
                script.stream(
                    &[
                        from.read(first + start, end - start),
                        to.write(first + less(start), less_count),
                        to.write(greater_start, end - start - less_count),
                    ],
                    (end - start) * CYCLES_PER_ITEM,
                );
            }
            Stage::Recur => self.recur(strand, 1 - now_in, script, wrap),
            Stage::Join => {}
        }
    }

    fn recur<S>(
        &self,
        strand: &QuickStrand,
        now_in: u8,
        script: &mut Script<S>,
        wrap: impl Fn(QuickStrand) -> S,
    ) {
        let below = Self::below_pivot(strand);
        let less = QuickStrand {
            count: below,
            now_in,
            stage: Stage::Sort,
            ..*strand
        };
        let greater = QuickStrand {
            first: strand.first + below + 1,
            count: strand.count - below - 1,
            now_in,
            stage: Stage::Sort,
            ..*strand
        };
        let sides = [less, greater].into_iter().filter(|side| side.count > 0);
        script.fork(
            sides.map(&wrap),
            wrap(QuickStrand {
                stage: Stage::Join,
                ..*strand
            }),
        );
    }
}

/// The program.
#[derive(Clone, Debug)]
pub struct Quicksort {
    items: u64,
    sorter: QuickSorter,
    address_space_bytes: u64,
}

impl Quicksort {
    /// Quicksort at the paper's size, scaled.
    pub fn new(scale: Scale) -> Self {
        let items = scale.of(ITEMS);
        let mut layout = Layout::default();
        let arrays = [layout.array(items, DOUBLE), layout.array(items, DOUBLE)];
        Self {
            items,
            sorter: QuickSorter::new(arrays, scale),
            address_space_bytes: layout.end(),
        }
    }
}

impl Program for Quicksort {
    type Strand = QuickStrand;

    fn root(&self) -> QuickStrand {
        QuickSorter::sort(0, self.items, 0, 0)
    }

    fn size(&self, strand: &QuickStrand) -> Size {
        self.sorter.size(strand)
    }

    fn run(&self, strand: &QuickStrand, script: &mut Script<QuickStrand>) {
        self.sorter.run(strand, script, |child| child);
    }

    fn part(&self, strand: &QuickStrand) -> usize {
        usize::try_from((self.items / strand.count.max(1)).max(1).ilog2()).expect("small")
    }

    fn address_space_bytes(&self) -> u64 {
        self.address_space_bytes
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::{DOUBLE, ITEMS, QuickSorter};
    use crate::scheduler::prng::Prng;

    /// Half of the paper's L3, in items of two arrays.
    const HALF_A_CACHE: u64 = (24 << 20) / 2 / (2 * DOUBLE);

    /// Millions of lines that partitions of more than [`HALF_A_CACHE`] items touch: one pass reads,
    /// one reads and writes.
    fn touched_above(mut below_pivot_ppm: impl FnMut(u64, u64) -> u64) -> f64 {
        let mut items = 0;
        let mut open = std::vec![(0, ITEMS)];
        while let Some((first, count)) = open.pop() {
            if count > HALF_A_CACHE {
                items += count;
                let below = (count - 1) * below_pivot_ppm(first, count) / 1_000_000;
                open.extend([(first, below), (first + below + 1, count - below - 1)]);
            }
        }
        (items * 3 * DOUBLE / 64) as f64 / 1e6
    }

    #[test]
    fn our_tree_is_no_odder_than_others_with_medians_of_three() {
        let ours = touched_above(QuickSorter::below_pivot_ppm);
        let others: Vec<f64> = (0..60)
            .map(|seed| {
                let mut prng = Prng::new(seed);
                touched_above(|_, _| QuickSorter::median_of_three(&mut prng))
            })
            .collect();
        let mean = others.iter().sum::<f64>() / 60.0;
        let variance = others.iter().map(|o| (o - mean) * (o - mean)).sum::<f64>() / 59.0;
        let deviation = variance.sqrt();
        let text = std::format!("ours {ours:.1}, others {mean:.1} ± {deviation:.1} M lines");
        std::eprintln!("{text}");
        assert!((ours - mean).abs() < 2.0 * deviation, "{text}");
    }
}
