//! Reading files of the kernel about this process, on descriptors that the program cannot reach.

#![expect(unsafe_code, reason = "calls into Valgrind's core and the kernel")]

use super::ffi;
use alloc::{vec, vec::Vec};
use core::{arch::asm, ffi::CStr};

/// Source: fcntl.h on amd64 Linux: `O_RDONLY | O_CLOEXEC`.
const READ: i32 = 0o2_000_000;
/// Bytes read at a time.
const CHUNK_BYTES: usize = 32 << 10;
/// Source: unistd_64.h: `ioctl`.
const IOCTL: u64 = 16;

/// An open file. Its descriptor lies above all that the program may use.
pub(crate) struct File(i32);

impl File {
    /// Opens a file to read; `None` if that is not allowed.
    pub(crate) fn open(path: &CStr) -> Option<Self> {
        // SAFETY: `path` is a C string that outlives the call.
        let fd = unsafe { ffi::fd_open(path.as_ptr(), READ, 0) };
        // SAFETY: `fd` was just opened and nobody else holds it.
        (fd >= 0).then(|| Self(unsafe { ffi::safe_fd(fd) }))
    }

    /// Everything from where the last read ended.
    pub(crate) fn read_to_end(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut chunk = vec![0u8; CHUNK_BYTES];
        loop {
            let room = i32::try_from(chunk.len()).unwrap_or(i32::MAX);
            // SAFETY: `chunk` has room for that many bytes.
            let read = unsafe { ffi::read(self.0, chunk.as_mut_ptr().cast(), room) };
            match usize::try_from(read) {
                Ok(count) if count > 0 => {
                    bytes.extend_from_slice(chunk.get(..count).unwrap_or_default());
                }
                _ => return bytes,
            }
        }
    }

    /// Asks the driver behind the file; the kernel's answer, or its error number.
    ///
    /// # Safety
    ///
    /// `argument` is what `request` reads and writes, and so is everything that it points to.
    pub(crate) unsafe fn ask<T>(&self, request: u64, argument: &mut T) -> Result<u64, u64> {
        let answer: i64;
        let argument: *mut T = argument;
        // SAFETY: the kernel's own call, which changes the two registers named and what the caller
        // vouches for.
        unsafe {
            asm!(
                "syscall",
                inlateout("rax") IOCTL => answer,
                in("rdi") i64::from(self.0),
                in("rsi") request,
                in("rdx") argument,
                lateout("rcx") _,
                lateout("r11") _,
                options(nostack),
            );
        }
        u64::try_from(answer).map_err(|_| answer.unsigned_abs())
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // SAFETY: the descriptor is ours.
        unsafe { ffi::close(self.0) };
    }
}
