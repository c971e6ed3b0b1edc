//! A buffered file that the traced program cannot reach.

#![expect(unsafe_code, reason = "calls into Valgrind's core")]

use super::{ffi, process};
use alloc::{ffi::CString, format, vec::Vec};
use core::fmt;

/// Bytes gathered before a write: enough that a row costs no system call.
const BUFFER_BYTES: usize = 32 << 10;
/// Source: fcntl.h on amd64 Linux: `O_WRONLY | O_CREAT | O_EXCL`.
const WRITE_NEW: i32 = 0o1 | 0o100 | 0o200;
/// Incarnations of one process id that may write files: one per `exec`.
const MAX_INCARNATIONS: u32 = 10_000;

/// The open file. Its descriptor lies above all that the program may use.
pub(crate) struct Output {
    fd: i32,
    buffer: Vec<u8>,
}

impl Output {
    /// Creates `prefix.PID.0`, or the next number if the process has replaced itself by `exec`.
    pub(crate) fn create(prefix: &str) -> Self {
        for incarnation in 0..MAX_INCARNATIONS {
            let name = format!("{prefix}.{}.{incarnation}", process::id());
            let Ok(path) = CString::new(name) else { break };
            // SAFETY: `path` is a C string that outlives the call.
            let fd = unsafe { ffi::fd_open(path.as_ptr(), WRITE_NEW, 0o644) };
            if fd >= 0 {
                // SAFETY: `fd` was just opened and nobody else holds it.
                let fd = unsafe { ffi::safe_fd(fd) };
                let buffer = Vec::with_capacity(BUFFER_BYTES);
                return Self { fd, buffer };
            }
        }
        process::give_up(&format!("cannot create a result file at {prefix}"))
    }

    /// Writes out what is buffered.
    pub(crate) fn flush(&mut self) {
        let mut rest = self.buffer.as_slice();
        while !rest.is_empty() {
            let length = i32::try_from(rest.len()).unwrap_or(i32::MAX);
            // SAFETY: `rest` is `length` readable bytes.
            let written = unsafe { ffi::write(self.fd, rest.as_ptr().cast(), length) };
            match usize::try_from(written) {
                Ok(count) if count > 0 => rest = rest.get(count..).unwrap_or_default(),
                _ => process::give_up("cannot write the result file (is the disk full?)"),
            }
        }
        self.buffer.clear();
    }

    /// Forgets what is buffered and closes: in the child of a fork, whose parent writes it.
    pub(crate) fn abandon(&mut self) {
        self.buffer.clear();
        // SAFETY: the descriptor is ours.
        unsafe { ffi::close(self.fd) };
    }
}

impl fmt::Write for Output {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.buffer.len() + text.len() > BUFFER_BYTES {
            self.flush();
        }
        self.buffer.extend_from_slice(text.as_bytes());
        Ok(())
    }
}
