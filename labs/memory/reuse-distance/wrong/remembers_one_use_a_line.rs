//! Keeps the latest use of each line only: where that was the same address, no neighbour is found.

use crate::{Distances, Trace, line};

pub(crate) fn reuse_distances(trace: &Trace) -> Vec<Distances> {
    let accesses = trace.accesses();
    let distances = accesses.iter().enumerate().map(|(now, &address)| {
        let past = &accesses[..now];
        let distinct_since = |earlier: usize| {
            let mut between = past[earlier + 1..].to_vec();
            between.retain(|&used| used != address);
            between.sort_unstable();
            between.dedup();
            u32::try_from(between.len()).unwrap_or(u32::MAX)
        };
        let same = past.iter().rposition(|&used| used == address);
        let latest = past.iter().rposition(|&used| line(used) == line(address));
        Distances {
            temporal: same.map(distinct_since),
            spatial: latest.filter(|&latest| past[latest] != address).map(distinct_since),
        }
    });
    distances.collect()
}
