//! The code is copied to huge pages, and the copy takes the code's place.

use huge::{Backing, Error, Region, huge_pages_within};

use crate::Code;

// ANCHOR: start
/// Called once, before the program's `code` runs.
pub(crate) fn start(code: &Code) {
    if let Err(why) = move_to_huge_pages(code) {
        // The program runs on small pages then, as it always did.
        eprintln!("the code stays where it is: {why}");
    }
}

#[expect(unsafe_code, reason = "pages of code are replaced")]
fn move_to_huge_pages(code: &Code) -> Result<(), Error> {
    let whole = huge_pages_within(code.range());
    let original = &code.bytes()[whole.start - code.range().start..][..whole.len()];
    let mut copy = Region::map(whole.len(), Backing::Advised)?;
    copy.as_mut_slice().copy_from_slice(original);
    if let Some(why) = copy.granted()?.missing() {
        eprintln!("not all of the code is on huge pages: {why}");
    }
    let target = original.as_ptr().cast_mut();
    // SAFETY: the range is as long as the copy and holds the same bytes, before and after; so whoever
    // reads or executes there finds what was there.
    let moved = unsafe { copy.move_over(target, libc::PROT_READ | libc::PROT_EXEC) };
    moved.map_err(|source| Error::Map {
        bytes: whole.len(),
        source,
    })
}
// ANCHOR_END: start
