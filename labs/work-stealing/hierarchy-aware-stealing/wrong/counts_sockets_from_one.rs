//! Names workers of the next socket, which the last one does not have.

use crate::{Neighbourhood, Prng};

pub(crate) fn victim(at: &Neighbourhood, prng: &mut Prng) -> usize {
    let socket = at.thief / at.socket_workers + 1;
    let near = usize::try_from(prng.below(at.socket_workers as u64)).expect("a worker's number");
    socket * at.socket_workers + near
}
