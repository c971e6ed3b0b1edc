//! Samplesort that knows the machine: buckets sized to fill an L3, each sorted by quicksort.

use alloc::vec::Vec;

use super::collect::Collector;
use super::parts::{Array, DOUBLE, INT, Layout};
use super::quicksort::{QuickSorter, QuickStrand};
use crate::scheduler::prng::Prng;
use crate::scheduler::program::{Program, Script, Size};
use crate::scheduler::scale::Scale;

/// Doubles at full size.
const ITEMS: u64 = 100_000_000;
/// Items of an average bucket: 11.2 MB with both arrays, under half an L3 of 24 MB.
const BUCKET: u64 = 700_000;
/// Samples per bucket.
const OVERSAMPLE: u64 = 40;
/// What the harness says the whole, and every inner node of the loop over buckets, touches.
const WHOLE_ANNOTATION_BYTES: u64 = 100_000_000;
/// What the harness says a block touches.
const BLOCK_ANNOTATION_BYTES: u64 = 10_000;
const BLOCK: u64 = 20_000;
/// Cycles of the binary search over the pivots, for one item.
const FIND_CYCLES: u64 = 40;
const MOVE_CYCLES: u64 = 8;

/// The program.
#[derive(Clone, Debug)]
pub struct AwareSamplesort {
    items: u64,
    arrays: [Array; 2],
    collector: Collector,
    /// Where each bucket starts, and the number of items at the end.
    starts: Vec<u64>,
    sorter: QuickSorter,
    scale: Scale,
    address_space_bytes: u64,
}

/// A strand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AwareStrand {
    /// Draws the samples.
    Sample,
    /// Starts the collection.
    Collect,
    /// Finds the buckets of one block.
    Find(u64),
    /// Between the two passes.
    Scan,
    /// Moves one block.
    Relocate(u64),
    /// The end of the collection.
    Collected,
    /// Goes over the buckets.
    SortAll,
    /// A part of the loop over the buckets: the first, and how many.
    Buckets(u64, u64),
    /// The end of such a part.
    BucketsDone(u64, u64),
    /// Inside the sort of one bucket.
    Sort(QuickStrand),
    /// The end.
    Done,
}

impl AwareSamplesort {
    /// The program at the paper's size, scaled. `seed` draws the samples.
    pub fn new(scale: Scale, seed: u64) -> Self {
        let items = scale.of(ITEMS);
        let mut layout = Layout::default();
        let arrays = [layout.array(items, DOUBLE), layout.array(items, DOUBLE)];
        let bucket_of = layout.array(items, INT);
        let collector = Collector {
            bucket_of,
            block: scale.of(BLOCK),
            find_cycles: FIND_CYCLES,
            move_cycles: MOVE_CYCLES,
        };
        let buckets = (items - 1) / scale.of(BUCKET) + 1;
        Self {
            items,
            arrays,
            collector,
            starts: bucket_starts(items, buckets, seed),
            sorter: QuickSorter::new(arrays, scale),
            scale,
            address_space_bytes: layout.end(),
        }
    }

    fn buckets(&self) -> u64 {
        self.starts.len() as u64 - 1
    }

    fn bucket(&self, index: u64) -> (u64, u64) {
        let index = usize::try_from(index).expect("an index of a bucket");
        (
            self.starts[index],
            self.starts[index + 1] - self.starts[index],
        )
    }
}

/// Every 40th of the sorted samples starts a bucket: sizes vary by about one part in six.
fn bucket_starts(items: u64, buckets: u64, seed: u64) -> Vec<u64> {
    let mut prng = Prng::new(seed);
    let mut samples: Vec<u64> = (0..buckets * OVERSAMPLE)
        .map(|_| prng.below(items))
        .collect();
    samples.sort_unstable();
    let mut starts = Vec::new();
    starts.push(0);
    let step = usize::try_from(OVERSAMPLE).expect("small");
    starts.extend(samples.iter().skip(step).step_by(step));
    starts.push(items);
    starts
}

impl Program for AwareSamplesort {
    type Strand = AwareStrand;

    fn root(&self) -> AwareStrand {
        AwareStrand::Sample
    }

    fn size(&self, strand: &AwareStrand) -> Size {
        let whole = self.scale.of(WHOLE_ANNOTATION_BYTES);
        match strand {
            AwareStrand::Collect | AwareStrand::Scan | AwareStrand::Collected => {
                Size::of(self.items * (2 * DOUBLE + INT))
            }
            AwareStrand::Find(_) | AwareStrand::Relocate(_) => {
                Size::of(self.scale.of(BLOCK_ANNOTATION_BYTES))
            }
            AwareStrand::Buckets(first, 1) | AwareStrand::BucketsDone(first, 1) => {
                Size::of(self.bucket(*first).1 * 2 * DOUBLE)
            }
            AwareStrand::Sort(strand) => self.sorter.size(strand),
            _ => Size::of(whole),
        }
    }

    fn run(&self, strand: &AwareStrand, script: &mut Script<AwareStrand>) {
        let [from, to] = self.arrays;
        let whole = (0, self.items);
        let blocks = self.collector.blocks(self.items);
        match *strand {
            AwareStrand::Sample => {
                let samples = self.buckets() * OVERSAMPLE;
                script.compute(samples * 200);
                script.fork([AwareStrand::Collect], AwareStrand::SortAll);
            }
            AwareStrand::Collect => {
                script.fork((0..blocks).map(AwareStrand::Find), AwareStrand::Scan);
            }
            AwareStrand::Find(block) => self.collector.find(from, whole, block, script),
            AwareStrand::Scan => {
                script.compute(blocks * self.buckets() * 4);
                script.fork(
                    (0..blocks).map(AwareStrand::Relocate),
                    AwareStrand::Collected,
                );
            }
            AwareStrand::Relocate(block) => {
                self.collector
                    .relocate((from, to), whole, block, &self.starts, script);
            }
            AwareStrand::SortAll => {
                script.fork([AwareStrand::Buckets(0, self.buckets())], AwareStrand::Done);
            }
            AwareStrand::Buckets(first, 1) => {
                let (start, count) = self.bucket(first);
                if count > 0 {
                    let sort = AwareStrand::Sort(QuickSorter::sort(start, count, 1, 1));
                    script.fork([sort], AwareStrand::BucketsDone(first, 1));
                }
            }
            AwareStrand::Buckets(first, count) => {
                let left = count / 2;
                script.fork(
                    [
                        AwareStrand::Buckets(first, left),
                        AwareStrand::Buckets(first + left, count - left),
                    ],
                    AwareStrand::BucketsDone(first, count),
                );
            }
            AwareStrand::Sort(ref strand) => {
                self.sorter.run(strand, script, AwareStrand::Sort);
            }
            AwareStrand::Collected | AwareStrand::BucketsDone(..) | AwareStrand::Done => {}
        }
    }

    fn part(&self, strand: &AwareStrand) -> usize {
        match strand {
            AwareStrand::Find(_) => 0,
            AwareStrand::Relocate(_) => 1,
            _ => 2,
        }
    }

    fn address_space_bytes(&self) -> u64 {
        self.address_space_bytes
    }
}
