//! Ctrl-C and its kin: a flag that everything which waits looks at.

use std::sync::atomic::{AtomicU32, Ordering};

use crate::error::Error;

static PRESSED: AtomicU32 = AtomicU32::new(0);

/// From now on Ctrl-C, a hangup and a polite kill set the flag instead of ending the process, so
/// that children are ended too and no file is left half written.
///
/// # Errors
///
/// If the system does not let us handle the signals.
pub fn catch() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| {
        PRESSED.fetch_add(1, Ordering::Relaxed);
    })
}

/// How often Ctrl-C was pressed so far: whoever waits for a program of the user's becomes less
/// polite each time.
pub fn pressed() -> u32 {
    PRESSED.load(Ordering::Relaxed)
}

/// Fails once Ctrl-C was pressed.
///
/// # Errors
///
/// [`Error::Interrupted`].
pub fn check() -> Result<(), Error> {
    if pressed() > 0 {
        Err(Error::Interrupted)
    } else {
        Ok(())
    }
}
