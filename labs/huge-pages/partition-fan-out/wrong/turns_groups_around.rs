//! Fills each group from its end, so the records of a group come out in the opposite order.

use crate::{Grouped, Record};

pub(crate) fn partition(records: &[Record], bits: u32) -> Grouped {
    let mut starts = vec![0; (1 << bits) + 1];
    for record in records {
        starts[record.group(bits) + 1] += 1;
    }
    for group in 1..starts.len() {
        starts[group] += starts[group - 1];
    }
    let mut ends = starts[1..].to_vec();
    let mut grouped = vec![Record::default(); records.len()];
    for record in records {
        let end = &mut ends[record.group(bits)];
        *end -= 1;
        grouped[*end] = *record;
    }
    Grouped {
        starts,
        records: grouped,
    }
}
