//! Draws each coordinate from a chain of its own: the second starts where the first will go next.

use crate::{Streams, is_inside, next_random};

pub(crate) fn hits(streams: &Streams) -> Vec<u64> {
    let draw = |&seed: &u32| {
        let (mut x, mut y) = (seed, next_random(seed));
        let mut hits = 0;
        for _ in 0..streams.points {
            x = next_random(x);
            y = next_random(y);
            hits += u64::from(is_inside(x, y));
        }
        hits
    };
    streams.seeds.iter().map(draw).collect()
}
