//! Takes the points of all streams from the first one, in turn.

use crate::{Streams, is_inside, next_random};

pub(crate) fn hits(streams: &Streams) -> Vec<u64> {
    let mut random = streams.seeds.first().copied().unwrap_or(1);
    let mut all_hits = vec![0; streams.seeds.len()];
    for _ in 0..streams.points {
        for hits in &mut all_hits {
            let x = next_random(random);
            random = next_random(x);
            *hits += u64::from(is_inside(x, random));
        }
    }
    all_hits
}
