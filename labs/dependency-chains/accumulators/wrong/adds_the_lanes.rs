//! Adds the four accumulators up as if every byte had the same weight.

use crate::BASE;

pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut hashes = [0_u64; 4];
    for (index, &byte) in bytes.iter().enumerate() {
        let hash = &mut hashes[index % 4];
        *hash = hash.wrapping_mul(BASE).wrapping_add(byte.into());
    }
    hashes.iter().fold(0, |sum: u64, &hash| sum.wrapping_add(hash))
}
