//! Yours to change: the only file of this lab that you edit.

use crate::BASE;

/// The bytes as the digits of a number in base `BASE`, modulo 2⁶⁴.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut hash: u64 = 0;
    for &byte in bytes {
        hash = hash.wrapping_mul(BASE).wrapping_add(byte.into());
    }
    hash
}
