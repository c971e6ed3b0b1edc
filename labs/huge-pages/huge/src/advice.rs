//! `madvise`, with the advice that the standard library and rustix do not have.

use std::io;

/// What the kernel is told about a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Advice {
    /// Use huge pages on the next touch.
    Huge,
    /// Use small pages, whatever the machine's setting is.
    Small,
    /// Put what is there onto huge pages now. Since Linux 6.1.
    Collapse,
    /// Touch every page now, and say if one cannot be had. Since Linux 5.14.
    Populate,
}

impl Advice {
    const fn number(self) -> libc::c_int {
        match self {
            Self::Huge => libc::MADV_HUGEPAGE,
            Self::Small => libc::MADV_NOHUGEPAGE,
            Self::Collapse => libc::MADV_COLLAPSE,
            Self::Populate => libc::MADV_POPULATE_WRITE,
        }
    }
}

/// Advises the kernel about `bytes` from `start` on.
///
/// # Errors
///
/// What the kernel said; `EINVAL` also when it does not know the advice.
///
/// # Safety
///
/// The range belongs to the caller, and is mapped for writing if the advice is to populate it.
#[expect(unsafe_code, reason = "std has no safe wrapper for madvise")]
pub(crate) unsafe fn advise(start: *mut u8, bytes: usize, advice: Advice) -> io::Result<()> {
    // SAFETY: the caller owns the range. None of these advices changes what its bytes hold.
    let result = unsafe { libc::madvise(start.cast(), bytes, advice.number()) };
    if result == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}
