//! What the simulation is given, and the random numbers that it draws.

/// Random numbers are 1 to `MODULUS` - 1. The modulus is a prime of the form 2³¹ - 1.
pub const MODULUS: u32 = (1 << 31) - 1;

/// The next random number after `number`.
///
/// Source: Park and Miller's minimal standard generator with the multiplier of their reply in
/// Communications of the ACM 36 (7), 1993; C++ calls it `minstd_rand`.
#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "the product has 47 bits: 31 low ones and 16 high ones"
)]
pub fn next_random(number: u32) -> u32 {
    let product = u64::from(number) * 48_271;
    // 2³¹ leaves the remainder 1, so the high digits may be added to the low ones.
    let high = (product >> 31) as u32;
    let folded = (product as u32 & MODULUS) + high;
    // Once more: the sum may have one bit too many.
    (folded & MODULUS) + (folded >> 31)
}

/// Several streams of random numbers, and what is drawn from each.
#[derive(Debug, Clone)]
pub struct Streams {
    /// The number before the first one of each stream, 1 to [`MODULUS`] - 1.
    pub seeds: Vec<u32>,
    /// Points drawn from each stream, two numbers each.
    pub points: u32,
}
