//! A limit for tests that would hang if they failed, and a smaller size for tests that Miri interprets.

use std::sync::mpsc;
use std::time::Duration;

/// Generous, for a loaded machine under Valgrind: it tells a hang from a slow run.
const LIMIT: Duration = Duration::from_secs(120);

/// How much of something a test does: less under Miri, which takes a thousand times as long.
pub(crate) const fn sized<T: Copy>(native: T, under_miri: T) -> T {
    if cfg!(miri) { under_miri } else { native }
}

/// Runs `test` on a thread of its own and fails if it does not end.
///
/// # Panics
/// With the panic of `test`, or when the limit has passed.
pub(crate) fn within_limit(test: impl FnOnce() + Send + 'static) {
    let (ended, wait) = mpsc::channel();
    let thread = std::thread::spawn(move || {
        test();
        let _ = ended.send(());
    });
    if wait.recv_timeout(LIMIT) == Err(mpsc::RecvTimeoutError::Timeout) {
        panic!("the test did not end within {LIMIT:?}: it hangs");
    }
    if let Err(payload) = thread.join() {
        std::panic::resume_unwind(payload);
    }
}
