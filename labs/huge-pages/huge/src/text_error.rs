//! Why the program's text stays where it is.

use std::io;

use crate::{Error, WhyNot};

/// Why text could not be moved onto huge pages. The program runs on as before.
#[derive(Debug, thiserror::Error)]
pub enum TextError {
    /// It was moved before, or another thread is moving it.
    #[error("the text is on huge pages already: remap_text is called once, at the start")]
    AlreadyDone,
    /// The program's mappings do not show where this code is.
    #[error(
        "/proc/self/maps shows no executable mapping around this code\nIs this process translated or emulated?"
    )]
    NotFound,
    /// No aligned 2 MiB of text.
    #[error(
        "the text has {bytes} B and holds no whole huge page of 2 MiB\n\
         Nothing to gain: so little text fits the TLB. A text of 2 to 4 MiB can be aligned: \
         link with -C link-arg=-Wl,-z,max-page-size=2097152"
    )]
    TooSmall {
        /// The text's size.
        bytes: usize,
    },
    /// The text is on huge pages by itself: some file systems map it so.
    #[error("the text is on huge pages already, {bytes} B of it: the file system maps it so")]
    AlreadyHuge {
        /// What is on huge pages.
        bytes: usize,
    },
    /// Memory for the copy could not be had.
    #[error("no memory for a copy of the text: {0}")]
    Memory(#[from] Error),
    /// The copy is on small pages, so moving it would gain nothing.
    #[error("the copy of the text got small pages, so it was dropped: {0}")]
    NoHugePage(WhyNot),
    /// The kernel or a security module forbids executable anonymous memory.
    #[error(
        "the copy may not be made executable: {source}\n\
         A security module forbids it (SELinux: execmem). Align the text when linking and put the \
         program on a file system with large folios instead."
    )]
    NoRights {
        /// What the kernel said.
        source: io::Error,
    },
    /// The mapping is sealed with mseal(2).
    #[error(
        "the text is sealed against changes by mseal(2)\nStart the program without sealing: glibc.rtld.seal, or its own call."
    )]
    Sealed,
    /// The last step failed for another reason.
    #[error("the copy could not be moved over the text: {source}")]
    Move {
        /// What the kernel said.
        source: io::Error,
    },
}
