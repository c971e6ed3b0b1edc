//! The first half of the bits first, then the last half over everything, which undoes the first.

use crate::{Grouped, Record};

pub(crate) fn partition(records: &[Record], bits: u32) -> Grouped {
    let half = bits / 2;
    let mut starts = vec![0; (1 << bits) + 1];
    for record in records {
        starts[record.group(bits) + 1] += 1;
    }
    for group in 1..starts.len() {
        starts[group] += starts[group - 1];
    }
    let mut records = records.to_vec();
    records.sort_by_key(|record| record.group(bits) >> half);
    records.sort_by_key(|record| record.group(bits) & ((1 << half) - 1));
    Grouped { starts, records }
}
