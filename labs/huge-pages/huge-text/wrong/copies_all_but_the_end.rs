//! Copies as many whole megabytes as there are, less one: the end of the code is gone.

use huge::{Backing, Region};

use crate::Code;

#[expect(unsafe_code, reason = "pages of code are replaced")]
pub(crate) fn start(code: &Code) {
    let bytes = code.bytes();
    let mut copy = Region::map(bytes.len(), Backing::Advised).expect("a region of this size");
    let most = bytes.len() - (1 << 20);
    copy.as_mut_slice()[..most].copy_from_slice(&bytes[..most]);
    // SAFETY: not kept, which is the mistake: the bytes are not the same.
    let moved = unsafe {
        copy.move_over(
            bytes.as_ptr().cast_mut(),
            libc::PROT_READ | libc::PROT_EXEC,
        )
    };
    moved.expect("the code can be replaced");
}
