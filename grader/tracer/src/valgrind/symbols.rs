//! What the debug information says of an address.

#![expect(unsafe_code, reason = "calls into Valgrind's core")]

use super::ffi::{self, DebugEpoch};
use alloc::{string::String, vec::Vec};
use core::{
    ffi::{CStr, c_char},
    ptr,
};

/// The moment at which an instruction was translated: its object file was mapped then.
pub(crate) fn epoch() -> DebugEpoch {
    // SAFETY: no arguments, no side effects.
    unsafe { ffi::current_epoch() }
}

/// The demangled name of the function that starts at `address`, if one does.
pub(crate) fn function_entry(address: u64) -> Option<String> {
    let mut name = ptr::null();
    // SAFETY: `name` is a live local that the core fills in.
    let found = unsafe { ffi::function_if_entry(epoch(), address, &raw mut name) };
    (found != 0).then(|| copy(name))
}

/// The path of the object file that `address` was mapped from, if it is known.
pub(crate) fn object(epoch: DebugEpoch, address: u64) -> Option<String> {
    let mut name = ptr::null();
    // SAFETY: `name` is a live local that the core fills in.
    let found = unsafe { ffi::object_name(epoch, address, &raw mut name) };
    (found != 0).then(|| copy(name))
}

/// `address` as the symbol table and the disassembly of its object file number it.
pub(crate) fn address_in_object(epoch: DebugEpoch, address: u64) -> Option<u64> {
    // SAFETY: any address may be asked about.
    let information = unsafe { ffi::find_debug_information(epoch, address) };
    if information.is_null() {
        return None;
    }
    // SAFETY: not null, so it is the core's record of the object file.
    let bias = unsafe { ffi::text_bias(information) };
    Some(address.wrapping_add_signed(bias.wrapping_neg()))
}

/// The call chain at `address`, innermost inlined function first, the real function last.
///
/// Each entry is Valgrind's own description: `function (file:line)`, `function (in object)`, or
/// `???` when nothing is known.
pub(crate) fn frames(epoch: DebugEpoch, address: u64) -> Vec<String> {
    let mut frames = Vec::new();
    // SAFETY: any address may be asked about. The cursor is null when nothing is inlined there.
    let cursor = unsafe { ffi::inline_cursor(epoch, address) };
    loop {
        // SAFETY: the cursor is null or alive until it is deleted below.
        let described = unsafe { ffi::describe(epoch, address, cursor) };
        let text = copy(described);
        let frame = text
            .split_once(": ")
            .map_or(text.as_str(), |(_, rest)| rest);
        frames.push(frame.into());
        // SAFETY: as above; the core takes a null cursor to mean that nothing is left.
        if unsafe { ffi::next_inline(cursor) } == 0 {
            break;
        }
    }
    // SAFETY: deleted once, and not used after. The core accepts null.
    unsafe { ffi::delete_inline_cursor(cursor) };
    frames
}

/// Copies a C string that the core may overwrite at the next call.
fn copy(text: *const c_char) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: not null, and the core passes terminated strings only.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_string_lossy().into_owned()
}
