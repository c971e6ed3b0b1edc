//! Hashes whole blocks of four only.

use crate::BASE;

pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let stride = BASE.wrapping_pow(4);
    let mut hashes = [0_u64; 4];
    let (blocks, _) = bytes.as_chunks::<4>();
    for block in blocks {
        for (hash, &byte) in hashes.iter_mut().zip(block) {
            *hash = hash.wrapping_mul(stride).wrapping_add(byte.into());
        }
    }
    hashes
        .iter()
        .fold(0, |sum: u64, &hash| sum.wrapping_mul(BASE).wrapping_add(hash))
}
