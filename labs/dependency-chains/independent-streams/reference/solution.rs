//! Eight streams in lockstep: they know nothing of each other, so their chains run side by side.

use crate::{Streams, is_inside, next_random};

/// Streams that are drawn from together.
const TOGETHER: usize = 8;

// ANCHOR: hits
/// How many points of each stream lie in the quarter circle.
pub(crate) fn hits(streams: &Streams) -> Vec<u64> {
    let (groups, rest) = streams.seeds.as_chunks::<TOGETHER>();
    let together = groups.iter().flat_map(|&seeds| draw(seeds, streams.points));
    let alone = rest.iter().flat_map(|&seed| draw([seed], streams.points));
    together.chain(alone).collect()
}

/// Draws points from so many streams at once.
fn draw<const STREAMS: usize>(mut random: [u32; STREAMS], points: u32) -> [u64; STREAMS] {
    let mut hits = [0; STREAMS];
    for _ in 0..points {
        for (random, hits) in random.iter_mut().zip(&mut hits) {
            let x = next_random(*random);
            let y = next_random(x);
            *random = y;
            *hits += u64::from(is_inside(x, y));
        }
    }
    hits
}
// ANCHOR_END: hits
