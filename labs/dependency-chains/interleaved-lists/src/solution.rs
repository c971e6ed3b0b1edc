//! Yours to change: the only file of this lab that you edit.

use crate::{END, Lists};

/// The sum of the amounts of each list.
pub(crate) fn totals(lists: &Lists) -> Vec<u64> {
    let mut totals = Vec::with_capacity(lists.heads.len());
    for &head in &lists.heads {
        let mut total = 0;
        let mut at = head;
        while at != END {
            let entry = &lists.entries[at as usize];
            total += entry.amount;
            at = entry.next;
        }
        totals.push(total);
    }
    totals
}
