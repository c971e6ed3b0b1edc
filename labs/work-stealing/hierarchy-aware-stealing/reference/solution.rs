//! A victim of one's own socket is ten times as likely as another.

use crate::{Neighbourhood, Prng};

/// How much likelier a near victim is.
const NEAR: u64 = 10;

// ANCHOR: victim
/// The worker to steal from: any of `0..at.workers`, oneself included.
pub(crate) fn victim(at: &Neighbourhood, prng: &mut Prng) -> usize {
    let first = at.thief / at.socket_workers * at.socket_workers;
    let near = at.socket_workers.min(at.workers - first);
    let far = at.workers - near;
    let drawn = prng.below(NEAR * near as u64 + far as u64);
    if drawn < NEAR * near as u64 {
        return first + usize::try_from(drawn / NEAR).expect("a worker's number");
    }
    let far = usize::try_from(drawn - NEAR * near as u64).expect("a worker's number");
    if far < first { far } else { far + near }
}
// ANCHOR_END: victim
