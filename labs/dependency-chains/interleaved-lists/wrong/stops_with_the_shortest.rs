//! Walks eight lists in lockstep, and stops all of them when one has ended.

use crate::{END, Lists};

pub(crate) fn totals(lists: &Lists) -> Vec<u64> {
    let mut totals = Vec::new();
    for heads in lists.heads.chunks(8) {
        let mut walks = heads.to_vec();
        let mut sums = vec![0; heads.len()];
        while walks.iter().all(|&at| at != END) {
            for (at, sum) in walks.iter_mut().zip(&mut sums) {
                let entry = &lists.entries[*at as usize];
                *sum += entry.amount;
                *at = entry.next;
            }
        }
        totals.extend(sums);
    }
    totals
}
