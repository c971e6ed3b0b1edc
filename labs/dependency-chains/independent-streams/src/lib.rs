//! A simulation: random points in a square, and how many of them lie in the quarter circle.

mod baseline;
#[cfg_attr(feature = "reference", path = "../reference/solution.rs")]
mod solution;
mod streams;

pub use streams::{MODULUS, Streams, next_random};

use lab_kit::{Case, Lab, Seed};

/// Square of the circle's radius. The square that the points lie in has the same side.
const RADIUS_SQUARED: u64 = 1 << 62;

/// Whether a point lies less than a radius from the corner.
#[inline(always)]
pub fn is_inside(x: u32, y: u32) -> bool {
    let (x, y) = (u64::from(x), u64::from(y));
    x * x + y * y < RADIUS_SQUARED
}

/// `hits(streams)` is, for each stream, how many of its points lie less than a radius from the corner.
pub type Hits = fn(&Streams) -> Vec<u64>;

/// The lab, as the kit sees it.
#[derive(Debug)]
pub struct IndependentStreams;

impl Lab for IndependentStreams {
    type Input = Streams;
    type Output = Vec<u64>;
    type Function = Hits;

    const BASELINE: Hits = baseline::hits;
    const SOLUTION: Hits = solution::hits;

    fn call(hits: Hits, streams: &mut Streams) -> Vec<u64> {
        hits(streams)
    }

    fn examples() -> Vec<Case<Streams>> {
        let streams = Streams {
            seeds: vec![1, 2, 3],
            points: 1000,
        };
        vec![Case::new("three streams, a thousand points", streams)]
    }

    fn cases(seed: &mut Seed) -> Vec<Case<Streams>> {
        let drawn = (seed.between(10, 60), seed.between(1, 400));
        [
            (0, 10),
            (1, 0),
            (1, 1),
            (3, 50),
            (4, 50),
            (7, 33),
            (8, 100),
            (9, 1),
            (33, 64),
            drawn,
        ]
        .into_iter()
        .map(|(count, points)| {
            let name = format!("{count} streams, {points} points");
            Case::new(name, random(count, points, seed))
        })
        .chain([Case::new("metered", Self::metered())])
        .collect()
    }

    /// A thousand points are many more instructions than a core looks ahead: it never sees the next
    /// stream while it is busy with one.
    fn metered() -> Streams {
        random(66, 1000, &mut Seed::new(1988))
    }
}

fn random(count: usize, points: usize, seed: &mut Seed) -> Streams {
    Streams {
        seeds: (0..count)
            .map(|_| number(seed.between(1, MODULUS as usize - 1)))
            .collect(),
        points: number(points),
    }
}

fn number(number: usize) -> u32 {
    u32::try_from(number).expect("below the modulus")
}
