//! The running program's text on huge pages.
//!
//! A copy of the text is made on huge pages, byte for byte the same, and `mremap` puts it in the
//! text's place in one step. Before and after the step every address holds the same instruction, so
//! no code has to stay out of the way: not the mover, not libc, not other threads. iodlr, which had
//! this idea first, unmaps the text and copies it back, so its mover has to live elsewhere.
//!
//! What is lost: `/proc/self/maps` no longer names the program's file there, so perf and gdb need a
//! map of their own; breakpoints set before are copied with the text; the text is no longer shared
//! with other processes of the same program.

use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::smaps::{Mapping, own_mappings};
use crate::{Backing, Region, TextError, huge_pages_within};

/// Text that was moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remapped {
    /// The addresses: whole huge pages.
    pub range: Range<usize>,
    /// What of it is on huge pages.
    pub huge_bytes: usize,
}

/// What became of a mapping of a file's text.
#[derive(Debug)]
pub struct RemappedFile {
    /// The program's file, or a library's.
    pub file: String,
    /// What was moved, or why nothing was.
    pub result: Result<Remapped, TextError>,
}

/// Moves the text of the running program onto huge pages: those by advice for [`Backing::Advised`],
/// those of the reserved pool for [`Backing::Pool`].
///
/// Call it once, first thing in `main`. Up to 2 MiB at either end of the text stay on small pages.
///
/// # Errors
///
/// A [`TextError`] for every reason why not; the program runs on from where it was.
pub fn remap_text(backing: Backing) -> Result<Remapped, TextError> {
    static STARTED: AtomicBool = AtomicBool::new(false);
    if STARTED.swap(true, Ordering::AcqRel) {
        return Err(TextError::AlreadyDone);
    }
    let moved = program_text().and_then(|text| remap(&text, backing));
    if moved.is_err() {
        STARTED.store(false, Ordering::Release);
    }
    moved
}

/// Moves the text of the program and of all libraries that it has loaded: for a library that is
/// preloaded into a program that does not do it by itself. Each mapping of code is told by its file.
///
/// # Errors
///
/// [`TextError::Memory`] if the mappings cannot be read; every other reason is in the list.
pub fn remap_all_text(backing: Backing) -> Result<Vec<RemappedFile>, TextError> {
    let is_code =
        |mapping: &Mapping| mapping.permissions == "r-xp" && mapping.name.starts_with('/');
    let mappings = own_mappings()?.into_iter().filter(is_code);
    let remapped = mappings.map(|mapping| {
        let result = remap(&mapping, backing);
        let file = mapping.name;
        RemappedFile { file, result }
    });
    Ok(remapped.collect())
}

/// The mapping that this code was loaded to: the text of a program that has this crate linked in.
///
/// # Errors
///
/// [`TextError::NotFound`] if there is none, [`TextError::Memory`] if the mappings cannot be read.
pub fn program_text() -> Result<Mapping, TextError> {
    let here = remap_text as fn(Backing) -> _ as *const () as usize;
    let mappings = own_mappings()?;
    mappings
        .into_iter()
        .find(|mapping| mapping.range.contains(&here))
        .filter(|mapping| mapping.permissions.contains('x'))
        .ok_or(TextError::NotFound)
}

/// Moves what whole huge pages a mapping of code has.
fn remap(text: &Mapping, backing: Backing) -> Result<Remapped, TextError> {
    let range = huge_pages_within(text.range.clone());
    if range.is_empty() {
        return Err(TextError::TooSmall {
            bytes: text.range.len(),
        });
    }
    if text.huge_bytes() >= range.len() {
        return Err(TextError::AlreadyHuge {
            bytes: text.huge_bytes(),
        });
    }
    // Linux 6.14 shows sealed mappings; before, only the last step finds out.
    if text.has_flag("sl") {
        return Err(TextError::Sealed);
    }
    let mut copy = Region::map(range.len(), backing)?;
    copy.as_mut_slice().copy_from_slice(code_in(&range));
    let granted = copy.granted()?;
    // With half of the pages huge, most of what is to gain is gained.
    if granted.huge_bytes < range.len() / 2 {
        let why = granted.missing().unwrap_or(crate::WhyNot::NoneFree);
        return Err(TextError::NoHugePage(why));
    }
    replace(copy, &range)?;
    Ok(Remapped {
        huge_bytes: granted.huge_bytes,
        range,
    })
}

/// The code in a range of mapped text.
#[expect(unsafe_code, reason = "text is read as bytes")]
fn code_in(range: &Range<usize>) -> &'static [u8] {
    let start = ptr::with_exposed_provenance::<u8>(range.start);
    // SAFETY: the range is within a mapping of this program's text, which is readable, never unmapped
    // and never written to.
    unsafe { std::slice::from_raw_parts(start, range.len()) }
}

/// Puts the copy in the text's place.
#[expect(unsafe_code, reason = "the program's text is exchanged under its feet")]
fn replace(copy: Region, range: &Range<usize>) -> Result<(), TextError> {
    let target = ptr::with_exposed_provenance_mut(range.start);
    // SAFETY: the copy holds the same bytes as the range, and the kernel changes the mapping in one
    // step that no thread sees half done; so whoever executes or reads there finds what was there.
    let moved = unsafe { copy.move_over(target, libc::PROT_READ | libc::PROT_EXEC) };
    moved.map_err(|source| match source.raw_os_error() {
        Some(libc::EACCES) => TextError::NoRights { source },
        Some(libc::EPERM) => TextError::Sealed,
        _ => TextError::Move { source },
    })
}

#[cfg(test)]
mod tests;
