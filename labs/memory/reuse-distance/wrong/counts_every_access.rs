//! Counts the accesses in between instead of the distinct addresses among them.

use crate::{Distances, Trace, line};

pub(crate) fn reuse_distances(trace: &Trace) -> Vec<Distances> {
    let accesses = trace.accesses();
    let since = |now: usize, is_wanted: &dyn Fn(u32) -> bool| {
        let earlier = accesses[..now].iter().rposition(|&used| is_wanted(used))?;
        u32::try_from(now - earlier - 1).ok()
    };
    let distances = accesses.iter().enumerate().map(|(now, &address)| Distances {
        temporal: since(now, &|used| used == address),
        spatial: since(now, &|used| used != address && line(used) == line(address)),
    });
    distances.collect()
}
