//! Records are put into groups by some bits of their keys: the first step of a hash join.

mod baseline;
mod record;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;

pub use record::{Grouped, Record};

use lab_kit::{Case, Lab, Seed};

/// `partition(records, bits)` puts the records into `1 << bits` groups by the first `bits` bits of
/// their keys, in each group in the order in which they came.
pub type Partition = fn(&[Record], u32) -> Grouped;

/// Records, and by how many bits of their keys they are grouped.
#[derive(Debug, Clone)]
pub struct Relation {
    /// In any order.
    pub records: Vec<Record>,
    /// 1 to 20.
    pub bits: u32,
}

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct PartitionFanOut;

impl Lab for PartitionFanOut {
    type Input = Relation;
    type Output = Grouped;
    type Function = Partition;

    const BASELINE: Partition = baseline::partition;
    const SOLUTION: Partition = solution::partition;

    fn call(partition: Partition, relation: &mut Relation) -> Grouped {
        partition(&relation.records, relation.bits)
    }

    fn examples() -> Vec<Case<Relation>> {
        let keys = [3, 1, 2, 0, 1, 3];
        let records = keys.iter().zip(10..);
        let records = records.map(|(&key, row)| Record::new(key << 62, row));
        vec![
            Case::new(
                "two bits",
                Relation {
                    records: records.collect(),
                    bits: 2,
                },
            ),
            Case::new(
                "no record",
                Relation {
                    records: Vec::new(),
                    bits: 1,
                },
            ),
        ]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Relation>> {
        let drawn = (
            seed.between(1, 5000),
            u32::try_from(seed.between(1, 14)).unwrap_or(1),
        );
        let shapes = [
            (1, 1),
            (2, 13),
            (100, 3),
            (4097, 5),
            (1000, 12),
            (3000, 13),
            drawn,
        ];
        let random: Vec<_> = shapes
            .into_iter()
            .map(|(count, bits)| {
                let name = format!("{count} records by {bits} bits");
                Case::new(name, Relation::random(count, bits, seed))
            })
            .collect();
        let equal = Relation {
            records: (0..500).map(|row| Record::new(u64::MAX, row)).collect(),
            bits: 9,
        };
        let one_group = Case::new("all in the last group", equal);
        random.into_iter().chain([one_group]).collect()
    }

    /// 32 MiB of records in 8192 groups of about one page each: nearly three times as many open
    /// pages as the largest second-level TLB of the machines holds.
    fn metered() -> Relation {
        Relation::random(1 << 20, 13, &mut Seed::new(1999))
    }
}

impl Relation {
    /// Records with any keys.
    pub fn random(count: usize, bits: u32, seed: &mut Seed) -> Self {
        let records = (0..count as u64).map(|row| Record::new(seed.bits(), row));
        Self {
            records: records.collect(),
            bits,
        }
    }
}
