//! Ctrl-C while a program is measured.
//!
//! The terminal sends it to the program and to the grader. The program ends, the tool writes what it
//! has, and the grader, which stays, prints it. A program that handles Ctrl-C itself goes on; after
//! the third one the grader kills it, and prints the intervals that were written by then.

use std::sync::{
    Once,
    atomic::{AtomicU32, Ordering::Relaxed},
};

static PRESSED: AtomicU32 = AtomicU32::new(0);
static INSTALLED: Once = Once::new();

/// How often Ctrl-C kills the program for good.
pub const KILLS: u32 = 3;

/// From now on Ctrl-C does not end the grader.
pub fn outlive() {
    INSTALLED.call_once(|| {
        // Somebody else's handler is as good: what matters is that the grader lives on.
        let _ = ctrlc::set_handler(|| {
            PRESSED.fetch_add(1, Relaxed);
        });
    });
}

/// How often Ctrl-C was pressed since [`outlive`].
#[must_use]
pub fn pressed() -> u32 {
    PRESSED.load(Relaxed)
}
