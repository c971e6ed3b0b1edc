//! Puts huge pages where the code is and forgets what was there.

use huge::{Backing, Region};

use crate::Code;

#[expect(unsafe_code, reason = "pages of code are replaced")]
pub(crate) fn start(code: &Code) {
    let empty = Region::map(code.range().len(), Backing::Advised).expect("a region of this size");
    let target = code.bytes().as_ptr().cast_mut();
    // SAFETY: not kept, which is the mistake: the bytes are not the same.
    let moved = unsafe { empty.move_over(target, libc::PROT_READ | libc::PROT_EXEC) };
    moved.expect("the code can be replaced");
}
