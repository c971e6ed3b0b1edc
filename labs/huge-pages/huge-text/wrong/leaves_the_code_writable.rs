//! Moves the code as it should, and leaves it writable: an invitation to whoever finds an overflow.

use huge::{Backing, Region};

use crate::Code;

#[expect(unsafe_code, reason = "pages of code are replaced")]
pub(crate) fn start(code: &Code) {
    let mut copy =
        Region::map(code.range().len(), Backing::Advised).expect("a region of this size");
    copy.as_mut_slice().copy_from_slice(code.bytes());
    let target = code.bytes().as_ptr().cast_mut();
    let rights = libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC;
    // SAFETY: the copy holds the same bytes as the code.
    let moved = unsafe { copy.move_over(target, rights) };
    moved.expect("the code can be replaced");
}
