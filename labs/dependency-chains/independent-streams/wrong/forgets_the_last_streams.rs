//! Draws from groups of four streams, and forgets those that fill no group.

use crate::{Streams, is_inside, next_random};

pub(crate) fn hits(streams: &Streams) -> Vec<u64> {
    let mut all_hits = vec![0; streams.seeds.len()];
    let (groups, _) = streams.seeds.as_chunks::<4>();
    for (seeds, all_hits) in groups.iter().zip(all_hits.chunks_mut(4)) {
        let mut random = *seeds;
        for _ in 0..streams.points {
            for (random, hits) in random.iter_mut().zip(all_hits.iter_mut()) {
                let x = next_random(*random);
                *random = next_random(x);
                *hits += u64::from(is_inside(x, *random));
            }
        }
    }
    all_hits
}
