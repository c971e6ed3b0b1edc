//! Steals in its own socket only: the other sockets never get anything.

use crate::{Neighbourhood, Prng};

pub(crate) fn victim(at: &Neighbourhood, prng: &mut Prng) -> usize {
    let first = at.thief / at.socket_workers * at.socket_workers;
    let near = at.socket_workers.min(at.workers - first);
    first + usize::try_from(prng.below(near as u64)).expect("a worker's number")
}
