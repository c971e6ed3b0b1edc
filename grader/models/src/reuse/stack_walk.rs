//! The slow, obvious twin of the engine: walk the list of all accesses backwards.

use alloc::vec::Vec;

use super::{Distances, LINE_BYTES, Unit};

/// Distances of every access, found by walking back over the trace: quadratic and plain.
#[must_use]
pub fn distances<U: Unit>(addresses: &[u64]) -> Vec<Distances> {
    addresses
        .iter()
        .enumerate()
        .map(|(now, &address)| {
            let past = &addresses[..now];
            let same = past.iter().rposition(|&earlier| earlier == address);
            let other = past
                .iter()
                .rposition(|&earlier| earlier != address && line(earlier) == line(address));
            let distinct_since = |since: usize| distinct_others::<U>(&past[since + 1..], address);
            Distances {
                temporal: same.map(distinct_since),
                spatial: other.map(distinct_since),
            }
        })
        .collect()
}

/// Misses of a fully associative LRU cache of `lines` lines, by keeping its stack.
#[must_use]
pub fn lru_misses(addresses: &[u64], lines: usize) -> u64 {
    let mut stack: Vec<u64> = Vec::new();
    let mut misses = 0;
    for &address in addresses {
        match stack.iter().position(|&held| held == line(address)) {
            Some(depth) => {
                stack.remove(depth);
            }
            None => {
                misses += 1;
                if stack.len() >= lines {
                    stack.pop();
                }
            }
        }
        if lines > 0 {
            stack.insert(0, line(address));
        }
    }
    misses
}

fn distinct_others<U: Unit>(between: &[u64], address: u64) -> u32 {
    let unit = |address: u64| if U::LINES { line(address) } else { address };
    let mut units: Vec<u64> = between.iter().map(|&between| unit(between)).collect();
    units.retain(|&between| between != unit(address));
    units.sort_unstable();
    units.dedup();
    u32::try_from(units.len()).expect("a trace that fits in memory")
}

fn line(address: u64) -> u64 {
    address / LINE_BYTES
}
