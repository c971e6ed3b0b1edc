//! Many lists at a time, one step in each: while one entry is on its way, the others are asked for.

use crate::{END, Lists};

/// Lists that are walked side by side. A core can wait for ten to twenty-odd lines at a time; more
/// lists than that do no harm.
const WALKS: usize = 24;

// ANCHOR: totals
/// The sum of the amounts of each list.
pub(crate) fn totals(lists: &Lists) -> Vec<u64> {
    let mut totals = vec![0; lists.heads.len()];
    let mut waiting = lists.heads.iter().copied().enumerate();
    // A list's number, and where in it the walk stands.
    let mut walks: Vec<(usize, u32)> = waiting.by_ref().take(WALKS).collect();
    while !walks.is_empty() {
        walks.retain_mut(|walk| {
            while walk.1 == END {
                // A list that has ended makes room for the next one.
                match waiting.next() {
                    Some(next) => *walk = next,
                    None => return false,
                }
            }
            let (list, at) = *walk;
            let entry = &lists.entries[at as usize];
            totals[list] += entry.amount;
            walk.1 = entry.next;
            true
        });
    }
    totals
}
// ANCHOR_END: totals
