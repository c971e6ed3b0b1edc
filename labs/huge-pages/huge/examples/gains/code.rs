//! Functions, one to a page, that are called in no order.

use std::hint::black_box;
use std::time::Duration;

use huge::{Backing, Error, Region, SMALL_PAGE_BYTES};

/// `imul rax, rdi, 0x5851f42d; add rax, 1; ret`
const FUNCTION: [u8; 12] = [
    0x48, 0x69, 0xc7, 0x2d, 0xf4, 0x51, 0x58, 0x48, 0x83, 0xc0, 0x01, 0xc3,
];
/// Cache lines of a page in which functions start: an odd number, so that neighbours start in different sets.
const STARTS: usize = 61;
const CALLS: usize = 1_000_000;

/// Time for one call, on average. The code is anonymous memory on small pages as on huge ones.
#[expect(unsafe_code, reason = "code is made and called")]
pub(super) fn call(bytes: usize, backing: Backing) -> Result<Duration, Error> {
    let place = Region::map(bytes, Backing::Small)?;
    let mut code = Region::map(bytes, backing)?;
    for (page, bytes) in code.as_mut_slice().chunks_mut(SMALL_PAGE_BYTES).enumerate() {
        bytes[page % STARTS * 64..][..FUNCTION.len()].copy_from_slice(&FUNCTION);
    }
    // SAFETY: `place` is this function's own and holds nothing yet.
    let moved = unsafe { code.move_over(place.as_ptr(), libc::PROT_READ | libc::PROT_EXEC) };
    moved.map_err(|source| Error::Map { bytes, source })?;
    let pages = bytes / SMALL_PAGE_BYTES;
    let run = |calls: usize, mut argument: u64| {
        for _ in 0..calls {
            // The upper bits are the well mixed ones.
            let page = usize::try_from(argument >> 20).unwrap_or(0) % pages;
            let address = place
                .as_ptr()
                .wrapping_add(page * SMALL_PAGE_BYTES + page % STARTS * 64);
            // SAFETY: a function of this type stands there, by the loop above.
            let function: extern "C" fn(u64) -> u64 = unsafe { std::mem::transmute(address) };
            argument = function(argument);
        }
        argument
    };
    let argument = run(CALLS, 1);
    let before = super::processor_time();
    black_box(run(CALLS, argument));
    let time = super::processor_time() - before;
    Ok(time / u32::try_from(CALLS).expect("a million fits"))
}
