//! The slow version: frozen, since every score is measured against it.

use crate::{Grouped, Record};

// ANCHOR: partition
/// Puts `records` into `1 << bits` groups, in each in the order in which they came.
pub(crate) fn partition(records: &[Record], bits: u32) -> Grouped {
    let starts = starts(records, bits);
    let mut next = starts.clone();
    let mut grouped = vec![Record::default(); records.len()];
    for record in records {
        let place = &mut next[record.group(bits)];
        grouped[*place] = *record;
        *place += 1;
    }
    Grouped {
        starts,
        records: grouped,
    }
}

/// Where each group starts, and the end of the last.
fn starts(records: &[Record], bits: u32) -> Vec<usize> {
    let mut starts = vec![0; (1 << bits) + 1];
    for record in records {
        starts[record.group(bits) + 1] += 1;
    }
    for group in 1..starts.len() {
        starts[group] += starts[group - 1];
    }
    starts
}
// ANCHOR_END: partition
