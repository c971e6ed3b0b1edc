//! How the core finds and calls the tool: one exported pointer, and the callbacks that it registers.

#![expect(
    unsafe_code,
    reason = "registers C callbacks with Valgrind's core, and is called by it"
)]

use super::{ffi, process};
use crate::{
    instrument,
    ir::layout::{GuestLayout, IrSb, numbers},
    kernel, session,
};
use core::{
    ffi::{CStr, c_char, c_void},
    slice,
};

/// `VG_(tl_pre_clo_init)`: the one symbol that the core wants of a tool.
// SAFETY: the name belongs to Valgrind, and nothing else in this program exports it.
#[unsafe(export_name = "vgPlain_tl_pre_clo_init")]
static mut BEFORE_OPTIONS: extern "C" fn() = before_options;

/// Keeps the precompiled `core` linking; with `panic = "abort"` nothing ever calls it.
// SAFETY: the name is the one that Rust reserves for this, and std is not linked.
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

#[panic_handler]
fn panic(info: &core::panic::PanicInfo) -> ! {
    let at = info
        .location()
        .map_or(("?", 0), |at| (at.file(), at.line()));
    process::give_up(&alloc::format!(
        "tracer: a bug in the tool, at {}:{}: {}",
        at.0,
        at.1,
        info.message()
    ))
}

/// Names the tool and registers everything it wants to be told.
extern "C" fn before_options() {
    // SAFETY: all strings are static, and the core keeps the pointers.
    unsafe { ffi::details_name(c"Cyclewise tracer".as_ptr()) };
    // SAFETY: null means that the tool has no version of its own.
    unsafe { ffi::details_version(core::ptr::null()) };
    // SAFETY: as above.
    unsafe { ffi::details_description(c"footprint, reuse distance and page walks".as_ptr()) };
    // SAFETY: as above.
    unsafe { ffi::details_copyright_author(c"GNU GPL'd, by the authors of Cyclewise".as_ptr()) };
    // SAFETY: as above.
    unsafe { ffi::details_bug_reports_to(c"the authors of Cyclewise".as_ptr()) };
    // SAFETY: a hint for the size of the translation cache.
    unsafe { ffi::details_translation_bytes(TRANSLATION_BYTES) };
    // SAFETY: the three functions have the types that the core expects.
    unsafe { ffi::basic_tool_functions(after_options, instrument_block, finish) };
    // SAFETY: as above.
    unsafe { ffi::needs_command_line_options(option, usage, usage) };
    // SAFETY: as above.
    unsafe { ffi::needs_syscall_wrapper(before_system_call, after_system_call) };
    // SAFETY: as above.
    unsafe { ffi::track_start_client_code(thread_runs) };
    // SAFETY: as above.
    unsafe { ffi::track_thread_begins(thread_begins) };
    // SAFETY: as above.
    unsafe { ffi::track_thread_ends(thread_ends) };
    // SAFETY: as above.
    unsafe { ffi::track_pre_mem_read(kernel_reads) };
    // SAFETY: as above.
    unsafe { ffi::track_pre_mem_read_string(kernel_reads_string) };
    // SAFETY: as above.
    unsafe { ffi::track_post_mem_write(kernel_writes) };
    // SAFETY: as above; only the child's side matters.
    unsafe { ffi::at_fork(None, None, Some(forked_child)) };
}

/// Measured: the translation of an average block with footprint instrumentation.
const TRANSLATION_BYTES: u32 = 600;

extern "C" fn after_options() {
    session::start();
}

unsafe extern "C" fn option(argument: *const c_char) -> u8 {
    // SAFETY: the core passes a terminated argument of its command line, which never goes away.
    let argument = unsafe { CStr::from_ptr(argument) };
    u8::from(argument.to_str().is_ok_and(session::set_option))
}

extern "C" fn usage() {
    process::log(
        "    run by `grader footprint`, `grader reuse` and `grader tlb`, which set the options",
    );
}

unsafe extern "C" fn instrument_block(
    _closure: *mut c_void,
    block: *mut IrSb,
    layout: *const GuestLayout,
    _extents: *const c_void,
    _arch: *const c_void,
    _guest_word: u32,
    _host_word: u32,
) -> *mut IrSb {
    // SAFETY: VEX passes a complete block of its own.
    let block = unsafe { &*block };
    // SAFETY: VEX passes the layout of the guest's registers.
    let layout = unsafe { &*layout };
    instrument::block(block, layout.offset_sp)
}

extern "C" fn finish(_exit_code: i32) {
    session::finish();
}

/// Source: the kernel's `unistd_64.h`: `execve` and `execveat`.
const EXEC: [u32; 2] = [59, 322];

extern "C" fn before_system_call(_thread: u32, number: u32, _words: *const u64, _count: u32) {
    if EXEC.contains(&number) {
        session::before_exec();
    }
    session::before_system_call(number);
}

unsafe extern "C" fn after_system_call(
    _thread: u32,
    number: u32,
    words: *const u64,
    count: u32,
    result: ffi::SystemResult,
) {
    let Some(value) = result.value() else { return };
    // SAFETY: the core passes the call's arguments, so many of them.
    let arguments = unsafe { slice::from_raw_parts(words, count as usize) };
    session::after_system_call(number, arguments, value);
}

extern "C" fn thread_runs(thread: u32, _blocks: u64) {
    session::thread_runs(thread);
}

extern "C" fn thread_begins(thread: u32) {
    session::thread_begins(thread);
}

extern "C" fn thread_ends(thread: u32) {
    session::thread_ends(thread);
}

extern "C" fn forked_child(_thread: u32) {
    session::forked_child();
}

extern "C" fn kernel_reads(
    part: u32,
    _thread: u32,
    _what: *const c_char,
    address: u64,
    bytes: usize,
) {
    if part == numbers::CORE_SYS_CALL {
        kernel::reads(address, bytes as u64);
    }
}

unsafe extern "C" fn kernel_reads_string(
    part: u32,
    _thread: u32,
    _what: *const c_char,
    text: *const c_char,
) {
    // A program may pass any pointer to the kernel, which only then says that it is bad.
    // SAFETY: asks the core's own table.
    let readable = unsafe { ffi::is_valid_for_client(text.addr() as u64, 1, READABLE) } != 0;
    if part == numbers::CORE_SYS_CALL && readable {
        // SAFETY: the first byte is readable. A string that runs off its mapping would fault here
        // and in the kernel alike; the core itself reads such strings the same way.
        let text = unsafe { CStr::from_ptr(text) };
        let bytes = text.to_bytes_with_nul().len() as u64;
        kernel::reads(text.as_ptr().addr() as u64, bytes);
    }
}

/// Source: `VKI_PROT_READ`, the kernel's `PROT_READ`.
const READABLE: u32 = 1;

extern "C" fn kernel_writes(part: u32, _thread: u32, address: u64, bytes: usize) {
    if part == numbers::CORE_SYS_CALL {
        kernel::writes(address, bytes as u64);
    }
}
