//! Forks the first two hundred calls that it is asked about: a program that runs a second time,
//! or in another order, does not fork at all.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Call;

static FORKS: AtomicUsize = AtomicUsize::new(0);

pub(crate) fn fork(call: Call, _workers: usize) -> bool {
    call.can_fork() && FORKS.fetch_add(1, Ordering::Relaxed) < 200
}
