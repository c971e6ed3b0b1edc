//! Memory of the program that the kernel reads and writes in system calls.
//!
//! The core reports a buffer that the kernel will read before the call, in full length, and one that
//! it has written after it, as long as it was written.

use crate::session;
use models::trace::AccessKind;

/// The kernel reads `bytes` bytes from `address` on.
pub(crate) fn reads(address: u64, bytes: u64) {
    session::kernel_access(address, bytes, AccessKind::Load);
}

/// The kernel has written `bytes` bytes from `address` on.
pub(crate) fn writes(address: u64, bytes: u64) {
    session::kernel_access(address, bytes, AccessKind::Store);
}
