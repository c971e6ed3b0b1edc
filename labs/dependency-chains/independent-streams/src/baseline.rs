//! The slow version: frozen, since every score is measured against it.

use crate::{Streams, is_inside, next_random};

// ANCHOR: hits
/// How many points of each stream lie in the quarter circle.
pub(crate) fn hits(streams: &Streams) -> Vec<u64> {
    let mut all_hits = Vec::with_capacity(streams.seeds.len());
    for &seed in &streams.seeds {
        let mut random = seed;
        let mut hits = 0;
        for _ in 0..streams.points {
            random = next_random(random);
            let x = random;
            random = next_random(random);
            let y = random;
            hits += u64::from(is_inside(x, y));
        }
        all_hits.push(hits);
    }
    all_hits
}
// ANCHOR_END: hits
