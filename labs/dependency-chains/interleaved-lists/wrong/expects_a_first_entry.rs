//! Takes every list to have at least one entry.

use crate::{END, Lists};

pub(crate) fn totals(lists: &Lists) -> Vec<u64> {
    let mut walks: Vec<(usize, u32)> = lists.heads.iter().copied().enumerate().collect();
    let mut totals = vec![0; walks.len()];
    while !walks.is_empty() {
        for (list, at) in &mut walks {
            let entry = &lists.entries[*at as usize];
            totals[*list] += entry.amount;
            *at = entry.next;
        }
        walks.retain(|&(_, at)| at != END);
    }
    totals
}
