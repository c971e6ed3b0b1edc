//! Walks the stack for each distance apart, and counts the address itself on the way to a neighbour.

use crate::{Distances, Trace, line};

pub(crate) fn reuse_distances(trace: &Trace) -> Vec<Distances> {
    let mut stack: Vec<u32> = Vec::new();
    let mut found = Vec::new();
    for &address in trace.accesses() {
        let depth = |is_wanted: &dyn Fn(u32) -> bool| {
            let depth = stack.iter().rev().position(|&used| is_wanted(used))?;
            u32::try_from(depth).ok()
        };
        found.push(Distances {
            temporal: depth(&|used| used == address),
            spatial: depth(&|used| used != address && line(used) == line(address)),
        });
        stack.retain(|&used| used != address);
        stack.push(address);
    }
    found
}
