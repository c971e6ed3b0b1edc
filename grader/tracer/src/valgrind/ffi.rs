//! Valgrind's core, as the `pub_tool_*.h` headers declare it. Called only by this folder.

use crate::ir::layout::{GuestLayout, IrSb, numbers};
use core::ffi::{c_char, c_void};

/// `DiEpoch`: a moment in the life of the debug information.
#[repr(C)]
#[derive(Clone, Copy)]
pub(crate) struct DebugEpoch(pub(crate) u32);

/// `SysRes` on amd64 Linux: what a system call gave.
#[repr(C)]
pub(crate) struct SystemResult {
    is_error: u8,
    value: u64,
}

const _: () = assert!(
    core::mem::offset_of!(SystemResult, is_error) == numbers::RESULT_IS_ERROR
        && core::mem::offset_of!(SystemResult, value) == numbers::RESULT_VALUE,
    "tracer-build: this Valgrind lays out system calls' results differently (see valgrind/ffi.rs)",
);

impl SystemResult {
    /// The call's value; `None` if it failed.
    pub(crate) fn value(&self) -> Option<u64> {
        (self.is_error == 0).then_some(self.value)
    }
}

/// What the core calls to instrument a block; see [`super::interface`].
pub(crate) type Instrument = unsafe extern "C" fn(
    *mut c_void,
    *mut IrSb,
    *const GuestLayout,
    *const c_void,
    *const c_void,
    u32,
    u32,
) -> *mut IrSb;

#[expect(unsafe_code, reason = "declares the functions of Valgrind's core")]
unsafe extern "C" {
    #[link_name = "vgPlain_memcmp"]
    pub(crate) fn memcmp(left: *const c_void, right: *const c_void, bytes: usize) -> i32;
    #[link_name = "vgPlain_strlen"]
    pub(crate) fn strlen(text: *const c_char) -> usize;

    #[link_name = "vgPlain_malloc"]
    pub(crate) fn malloc(cost_centre: *const c_char, bytes: usize) -> *mut c_void;
    #[link_name = "vgPlain_free"]
    pub(crate) fn free(block: *mut c_void);
    #[link_name = "vgPlain_realloc"]
    pub(crate) fn realloc(
        cost_centre: *const c_char,
        block: *mut c_void,
        bytes: usize,
    ) -> *mut c_void;
    #[link_name = "vgPlain_am_shadow_alloc"]
    pub(crate) fn map_zeroed(bytes: usize) -> *mut c_void;

    #[link_name = "vgPlain_am_munmap_valgrind"]
    pub(crate) fn unmap(address: u64, bytes: usize) -> SystemResult;

    #[link_name = "vgPlain_am_is_valid_for_client"]
    pub(crate) fn is_valid_for_client(address: u64, bytes: usize, protection: u32) -> u8;

    #[link_name = "vgPlain_fd_open"]
    pub(crate) fn fd_open(path: *const c_char, flags: i32, mode: i32) -> i32;
    #[link_name = "vgPlain_safe_fd"]
    pub(crate) fn safe_fd(fd: i32) -> i32;
    #[link_name = "vgPlain_write"]
    pub(crate) fn write(fd: i32, data: *const c_void, bytes: i32) -> i32;
    #[link_name = "vgPlain_read"]
    pub(crate) fn read(fd: i32, data: *mut c_void, bytes: i32) -> i32;
    #[link_name = "vgPlain_get_SP"]
    pub(crate) fn stack_pointer(thread: u32) -> u64;
    #[link_name = "vgPlain_close"]
    pub(crate) fn close(fd: i32);
    #[link_name = "vgPlain_getpid"]
    pub(crate) fn getpid() -> i32;
    #[link_name = "vgPlain_exit"]
    pub(crate) fn exit(code: i32) -> !;
    #[link_name = "vgPlain_umsg"]
    pub(crate) fn user_message(format: *const c_char, ...) -> u32;

    #[link_name = "vgPlain_current_DiEpoch"]
    pub(crate) fn current_epoch() -> DebugEpoch;
    #[link_name = "vgPlain_get_fnname_if_entry"]
    pub(crate) fn function_if_entry(
        epoch: DebugEpoch,
        address: u64,
        name: *mut *const c_char,
    ) -> u8;
    #[link_name = "vgPlain_get_objname"]
    pub(crate) fn object_name(epoch: DebugEpoch, address: u64, name: *mut *const c_char) -> u8;
    #[link_name = "vgPlain_find_DebugInfo"]
    pub(crate) fn find_debug_information(epoch: DebugEpoch, address: u64) -> *mut c_void;
    #[link_name = "vgPlain_DebugInfo_get_text_bias"]
    pub(crate) fn text_bias(information: *const c_void) -> i64;
    #[link_name = "vgPlain_new_IIPC"]
    pub(crate) fn inline_cursor(epoch: DebugEpoch, address: u64) -> *mut c_void;
    #[link_name = "vgPlain_next_IIPC"]
    pub(crate) fn next_inline(cursor: *mut c_void) -> u8;
    #[link_name = "vgPlain_delete_IIPC"]
    pub(crate) fn delete_inline_cursor(cursor: *mut c_void);
    #[link_name = "vgPlain_describe_IP"]
    pub(crate) fn describe(epoch: DebugEpoch, address: u64, cursor: *const c_void)
    -> *const c_char;

    #[link_name = "vgPlain_details_name"]
    pub(crate) fn details_name(name: *const c_char);
    #[link_name = "vgPlain_details_version"]
    pub(crate) fn details_version(version: *const c_char);
    #[link_name = "vgPlain_details_description"]
    pub(crate) fn details_description(text: *const c_char);
    #[link_name = "vgPlain_details_copyright_author"]
    pub(crate) fn details_copyright_author(text: *const c_char);
    #[link_name = "vgPlain_details_bug_reports_to"]
    pub(crate) fn details_bug_reports_to(text: *const c_char);
    #[link_name = "vgPlain_details_avg_translation_sizeB"]
    pub(crate) fn details_translation_bytes(bytes: u32);
    #[link_name = "vgPlain_basic_tool_funcs"]
    pub(crate) fn basic_tool_functions(
        after_options: extern "C" fn(),
        instrument: Instrument,
        finish: extern "C" fn(i32),
    );
    #[link_name = "vgPlain_needs_command_line_options"]
    pub(crate) fn needs_command_line_options(
        process: unsafe extern "C" fn(*const c_char) -> u8,
        usage: extern "C" fn(),
        debug_usage: extern "C" fn(),
    );
    #[link_name = "vgPlain_needs_syscall_wrapper"]
    pub(crate) fn needs_syscall_wrapper(
        before: extern "C" fn(u32, u32, *const u64, u32),
        after: unsafe extern "C" fn(u32, u32, *const u64, u32, SystemResult),
    );
    #[link_name = "vgPlain_track_start_client_code"]
    pub(crate) fn track_start_client_code(callback: extern "C" fn(u32, u64));
    #[link_name = "vgPlain_track_pre_thread_first_insn"]
    pub(crate) fn track_thread_begins(callback: extern "C" fn(u32));
    #[link_name = "vgPlain_track_pre_thread_ll_exit"]
    pub(crate) fn track_thread_ends(callback: extern "C" fn(u32));
    #[link_name = "vgPlain_track_pre_mem_read"]
    pub(crate) fn track_pre_mem_read(callback: extern "C" fn(u32, u32, *const c_char, u64, usize));
    #[link_name = "vgPlain_track_pre_mem_read_asciiz"]
    pub(crate) fn track_pre_mem_read_string(
        callback: unsafe extern "C" fn(u32, u32, *const c_char, *const c_char),
    );
    #[link_name = "vgPlain_track_post_mem_write"]
    pub(crate) fn track_post_mem_write(callback: extern "C" fn(u32, u32, u64, usize));
    #[link_name = "vgPlain_atfork"]
    pub(crate) fn at_fork(
        before: Option<extern "C" fn(u32)>,
        parent: Option<extern "C" fn(u32)>,
        child: Option<extern "C" fn(u32)>,
    );
}
