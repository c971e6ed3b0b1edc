//! The traced process as a whole: its id, its end, messages to the user.

#![expect(unsafe_code, reason = "calls into Valgrind's core")]

use super::ffi;
use alloc::{ffi::CString, string::String};

/// The process id of the traced program, which is Valgrind's own.
pub(crate) fn id() -> i32 {
    // SAFETY: no arguments, no side effects.
    unsafe { ffi::getpid() }
}

/// Where the program's first thread has its stack pointer.
pub(crate) fn stack_pointer() -> u64 {
    // SAFETY: the core's number of the first thread, which has a state from start to end.
    unsafe { ffi::stack_pointer(1) }
}

/// Prints one line to Valgrind's log.
pub(crate) fn log(message: &str) {
    let text: String = message.chars().filter(|&c| c != '\0').collect();
    let Ok(text) = CString::new(text) else { return };
    // SAFETY: the format takes one C string, and gets one.
    unsafe { ffi::user_message(c"%s\n".as_ptr(), text.as_ptr()) };
}

/// Ends the traced program and the tool because the tool cannot go on.
pub(crate) fn give_up(message: &str) -> ! {
    log(message);
    // SAFETY: never returns.
    unsafe { ffi::exit(TOOL_FAILED) }
}

/// Exit status by which the grader recognises that the tool itself gave up.
const TOOL_FAILED: i32 = 97;
