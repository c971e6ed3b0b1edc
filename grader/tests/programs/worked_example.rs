//! The worked example of reuse distance: a, b, c lie in one cache line, d and e in the next, and
//! the accesses are a b e b c d a.

use std::hint::black_box;

/// Two cache lines, the first with a, b, c at its start and the second with d, e.
#[repr(C, align(64))]
struct Lines {
    first: [u8; 64],
    second: [u8; 64],
}

// ANCHOR: accesses
/// One load of a byte each, in this order, and nothing else. The bytes are added up because Valgrind
/// leaves out a load whose result nobody uses.
#[unsafe(no_mangle)]
#[inline(never)]
fn worked_example(lines: &Lines) -> u32 {
    let [a, b, c] = [0, 1, 2].map(|place| &raw const lines.first[place]);
    let [d, e] = [0, 1].map(|place| &raw const lines.second[place]);
    let mut sum = 0;
    for byte in [a, b, e, b, c, d, a] {
        // SAFETY: each pointer is to a byte of `lines`. Volatile, so that the compiler loads anew.
        sum += u32::from(unsafe { byte.read_volatile() });
    }
    sum
}
// ANCHOR_END: accesses

fn main() {
    black_box(worked_example(black_box(&Lines {
        first: [1; 64],
        second: [2; 64],
    })));
}
