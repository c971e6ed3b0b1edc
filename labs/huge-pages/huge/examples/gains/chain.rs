//! A chain through memory: each read tells where the next one is.

use std::hint::black_box;
use std::time::Duration;

use huge::{Backing, Error, Region};

const LINE_BYTES: usize = 64;
const READS: usize = 1_000_000;

/// Time for one read, on average.
pub(super) fn read(bytes: usize, backing: Backing) -> Result<Duration, Error> {
    let mut region = Region::map(bytes, backing)?;
    region.touch()?;
    let lines = bytes / LINE_BYTES;
    let (words, _) = region.as_mut_slice().as_chunks_mut();
    // A full cycle: the number of lines is a power of two. Source: Hull and Dobell, 1962.
    for line in 0..lines {
        let next = line.wrapping_mul(0x9e37_79b5).wrapping_add(0x7f4a_7c15) % lines;
        words[line * LINE_BYTES / size_of::<usize>()] = next.to_ne_bytes();
    }
    let mut line = 0;
    let before = super::processor_time();
    for _ in 0..READS {
        line = usize::from_ne_bytes(words[line * LINE_BYTES / size_of::<usize>()]);
    }
    let time = super::processor_time() - before;
    black_box(line);
    Ok(time / u32::try_from(READS).expect("a million fits"))
}
