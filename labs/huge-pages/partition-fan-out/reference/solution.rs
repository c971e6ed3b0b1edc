//! Two passes, by half of the bits each: the last half first, then the first half, as in a radix sort.

use crate::{Grouped, Record};

// ANCHOR: partition
/// Puts `records` into `1 << bits` groups, in each in the order in which they came.
pub(crate) fn partition(records: &[Record], bits: u32) -> Grouped {
    let starts = starts(records, 1 << bits, |record| record.group(bits));
    let low_bits = bits / 2;
    let low = |record: &Record| record.group(bits) & ((1 << low_bits) - 1);
    let high = |record: &Record| record.group(bits) >> low_bits;
    // Each pass keeps the order of what it does not look at, so after the second both halves hold.
    let by_low = scatter(records, 1 << low_bits, low);
    let records = scatter(&by_low, 1 << (bits - low_bits), high);
    Grouped { starts, records }
}

/// The records by `group`, a number below `groups`.
fn scatter(records: &[Record], groups: usize, group: impl Fn(&Record) -> usize) -> Vec<Record> {
    let mut next = starts(records, groups, &group);
    let mut scattered = vec![Record::default(); records.len()];
    for record in records {
        let place = &mut next[group(record)];
        scattered[*place] = *record;
        *place += 1;
    }
    scattered
}
// ANCHOR_END: partition

/// Where each group starts, and the end of the last.
fn starts(records: &[Record], groups: usize, group: impl Fn(&Record) -> usize) -> Vec<usize> {
    let mut starts = vec![0; groups + 1];
    for record in records {
        starts[group(record) + 1] += 1;
    }
    for group in 1..starts.len() {
        starts[group] += starts[group - 1];
    }
    starts
}
