//! A pool for whose deques there is no memory: an allocator that refuses, as a full machine would.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

use magpie::{Pool, PoolError};

/// Requests of at least this many bytes are refused.
static REFUSED_FROM_BYTES: AtomicUsize = AtomicUsize::new(usize::MAX);

/// The system's, up to a size.
struct Stingy;

#[global_allocator]
static ALLOCATOR: Stingy = Stingy;

#[expect(unsafe_code, reason = "an allocator is an unsafe trait")]
// SAFETY: hands every request to the system's allocator or refuses it, which any allocator may.
unsafe impl GlobalAlloc for Stingy {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() >= REFUSED_FROM_BYTES.load(Ordering::Relaxed) {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller keeps the same contract with us as we with the system.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: every block comes from the system's allocator, with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

#[test]
fn deques_that_cannot_be_had_are_an_error_and_the_next_pool_works() {
    const WORKERS: usize = 200;
    // Below what the deques of so many workers take, above everything else.
    const REFUSED_FROM: usize = 32 << 10;
    REFUSED_FROM_BYTES.store(REFUSED_FROM, Ordering::Relaxed);
    let refused = Pool::new(WORKERS);
    REFUSED_FROM_BYTES.store(usize::MAX, Ordering::Relaxed);
    match refused {
        Err(PoolError::OutOfMemory {
            workers: WORKERS,
            size_bytes,
        }) => assert!(
            size_bytes >= REFUSED_FROM,
            "{size_bytes} bytes were refused"
        ),
        Err(other) => panic!("refused for another reason: {other}"),
        Ok(_) => panic!("it started although its memory was refused"),
    }
    let pool = Pool::new(2).expect("there is memory again");
    assert_eq!(pool.run(|w| w.join(|_| 1, |_| 2)), (1, 2));
}
