//! The code as it was linked: what the program's run compares with, and puts back after a wrong
//! answer, since the next one in this process runs the same code.

use std::sync::OnceLock;

use huge::{Backing, Region};

use crate::Code;

/// What is allowed with code that was linked.
pub(crate) const RIGHTS: &str = "r-xp";

/// A copy of the code, made before anybody could change it.
pub(crate) fn linked(code: &Code) -> &'static [u8] {
    static LINKED: OnceLock<Vec<u8>> = OnceLock::new();
    LINKED.get_or_init(|| code.bytes().to_vec())
}

/// Puts the linked code back, on small pages.
#[expect(unsafe_code, reason = "pages of code are replaced")]
pub(crate) fn put_back(code: &Code) {
    let mut copy =
        Region::map(code.range().len(), Backing::Small).expect("as much memory was there before");
    copy.as_mut_slice().copy_from_slice(linked(code));
    let target = code.bytes().as_ptr().cast_mut();
    // SAFETY: the copy holds the code's own bytes, and its length is the code's: 20 MiB, a multiple
    // of what a region is rounded to.
    let moved = unsafe { copy.move_over(target, libc::PROT_READ | libc::PROT_EXEC) };
    moved.expect("who could replace the code before can do it again");
}
