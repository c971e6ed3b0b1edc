//! Gives the first byte the smallest weight, as if the text stood backwards.

use crate::BASE;

pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut weight: u64 = 1;
    let mut hash: u64 = 0;
    for &byte in bytes {
        hash = hash.wrapping_add(weight.wrapping_mul(byte.into()));
        weight = weight.wrapping_mul(BASE);
    }
    hash
}
