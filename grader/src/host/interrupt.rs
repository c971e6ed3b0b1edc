//! Ctrl-C and its kin: a flag that everything which waits looks at.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::error::Error;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C, a hangup and a polite kill set the flag instead of ending the process, so
/// that children are ended too and no file is left half written.
///
/// # Errors
///
/// If the system does not let us handle the signals.
pub fn catch() -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(|| INTERRUPTED.store(true, Ordering::Relaxed))
}

/// Fails once Ctrl-C was pressed.
///
/// # Errors
///
/// [`Error::Interrupted`].
pub fn check() -> Result<(), Error> {
    if INTERRUPTED.load(Ordering::Relaxed) {
        Err(Error::Interrupted)
    } else {
        Ok(())
    }
}
