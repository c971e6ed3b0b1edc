//! What `core` and `alloc` expect of a C library and an unwinder; the core brings the rest.

#![expect(
    unsafe_code,
    reason = "exports functions under the names of the C library"
)]

use super::{ffi, process};
use core::ffi::{c_char, c_void};

// SAFETY: the name and the type are the C library's, which is not linked.
#[unsafe(no_mangle)]
unsafe extern "C" fn bcmp(left: *const c_void, right: *const c_void, bytes: usize) -> i32 {
    // SAFETY: forwards our own contract.
    unsafe { ffi::memcmp(left, right, bytes) }
}

// SAFETY: the name and the type are the C library's, which is not linked.
#[unsafe(no_mangle)]
unsafe extern "C" fn memcmp(left: *const c_void, right: *const c_void, bytes: usize) -> i32 {
    // SAFETY: forwards our own contract.
    unsafe { ffi::memcmp(left, right, bytes) }
}

// SAFETY: the name and the type are the C library's, which is not linked.
#[unsafe(no_mangle)]
unsafe extern "C" fn strlen(text: *const c_char) -> usize {
    // SAFETY: forwards our own contract.
    unsafe { ffi::strlen(text) }
}

/// Precompiled `alloc` mentions it; with `panic = "abort"` nothing calls it.
// SAFETY: the name is the unwinder's, which is not linked.
#[unsafe(no_mangle)]
extern "C" fn _Unwind_Resume() -> ! {
    process::give_up("tracer: a bug in the tool: it tried to unwind")
}
