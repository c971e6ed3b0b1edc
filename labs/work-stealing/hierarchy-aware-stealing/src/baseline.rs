//! The slow version: frozen, since every score is measured against it.

use crate::{Neighbourhood, Prng};

// ANCHOR: victim
/// The worker to steal from: any of `0..at.workers`, oneself included.
pub(crate) fn victim(at: &Neighbourhood, prng: &mut Prng) -> usize {
    usize::try_from(prng.below(at.workers as u64)).expect("a worker's number")
}
// ANCHOR_END: victim
