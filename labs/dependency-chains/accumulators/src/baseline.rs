//! The slow version: frozen, since every score is measured against it.

use crate::BASE;

// ANCHOR: hash
/// The bytes as the digits of a number in base `BASE`, modulo 2⁶⁴.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut hash: u64 = 0;
    for &byte in bytes {
        hash = hash.wrapping_mul(BASE).wrapping_add(byte.into());
    }
    hash
}
// ANCHOR_END: hash
