//! What the pages themselves cost.

use std::hint::black_box;
use std::time::Duration;

use huge::{Backing, Error, HUGE_PAGE_BYTES, Region};

/// Time to write to one byte of every 2 MiB: the kernel has to make a page of either size for it.
pub(super) fn touch_little(bytes: usize, backing: Backing) -> Result<Duration, Error> {
    let mut region = Region::map(bytes, backing)?;
    let before = super::processor_time();
    for byte in region.as_mut_slice().iter_mut().step_by(HUGE_PAGE_BYTES) {
        *byte = 1;
    }
    let time = super::processor_time() - before;
    black_box(region.as_slice());
    Ok(time)
}

/// Time to touch all pages of a new region. The kernel works for it in this thread.
pub(super) fn touch(bytes: usize, backing: Backing) -> Result<Duration, Error> {
    let mut region = Region::map(bytes, backing)?;
    let before = super::processor_time();
    region.touch()?;
    Ok(super::processor_time() - before)
}
