//! Walks eight lists at a time, and forgets those that fill no whole group.

use crate::{END, Lists};

pub(crate) fn totals(lists: &Lists) -> Vec<u64> {
    let mut totals = vec![0; lists.heads.len()];
    let (groups, _) = lists.heads.as_chunks::<8>();
    for (group, heads) in groups.iter().enumerate() {
        let mut walks = *heads;
        while walks.iter().any(|&at| at != END) {
            for (lane, at) in walks.iter_mut().enumerate().filter(|(_, at)| **at != END) {
                let entry = &lists.entries[*at as usize];
                totals[group * 8 + lane] += entry.amount;
                *at = entry.next;
            }
        }
    }
    totals
}
