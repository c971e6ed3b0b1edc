//! Eight accumulators: each takes every eighth byte, and all go on side by side.

use crate::BASE;

/// Accumulators: one multiplication takes three cycles and an addition one, and a core starts one
/// multiplication per cycle, so four would fill the multiplier. Eight leave it no gap.
const LANES: usize = 8;

/// `BASE` to the power of `exponent`, modulo 2⁶⁴.
const fn power(exponent: usize) -> u64 {
    let mut power: u64 = 1;
    let mut step = 0;
    while step < exponent {
        power = power.wrapping_mul(BASE);
        step += 1;
    }
    power
}

// ANCHOR: hash
/// The bytes as the digits of a number in base `BASE`, modulo 2⁶⁴.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    const STRIDE: u64 = power(LANES);
    let mut hashes = [0_u64; LANES];
    let (blocks, rest) = bytes.as_chunks::<LANES>();
    for block in blocks {
        for (hash, &byte) in hashes.iter_mut().zip(block) {
            // The bytes in between belong to the other accumulators.
            *hash = hash.wrapping_mul(STRIDE).wrapping_add(byte.into());
        }
    }
    // The last byte of a block is followed by none of it, the one before by one, and so on.
    let digits = hashes
        .iter()
        .copied()
        .chain(rest.iter().map(|&byte| byte.into()));
    digits.fold(0, |sum: u64, digit| {
        sum.wrapping_mul(BASE).wrapping_add(digit)
    })
}
// ANCHOR_END: hash
