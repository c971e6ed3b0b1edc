//! Memory and program text on huge pages, and an answer to "did I get them".
//!
//! Asking for huge pages is a request. The kernel may grant it for all of a region, for a part or for
//! nothing, and no call says which. So every way here ends in evidence:
//!
//! | to have | ask with | then ask |
//! | --- | --- | --- |
//! | a region by advice | [`Region::map`] with [`Backing::Advised`] | [`Region::granted`] |
//! | a region from the reserved pool | [`Backing::Pool`], or [`Region::best`] to fall back | the same |
//! | a growing array | [`Buffer`] | [`Buffer::granted`] |
//! | the running program's code | [`remap_text`], once at the start | [`Remapped::huge_bytes`] |
//!
//! ```
//! use huge::{Backing, Region};
//!
//! let mut region = Region::map(8 << 20, Backing::Advised)?;
//! region.touch()?;
//! match region.granted()?.missing() {
//!     None => println!("all of it is on huge pages"),
//!     Some(why) => println!("not all of it: {why}"),
//! }
//! # Ok::<(), huge::Error>(())
//! ```
//!
//! Written for x86-64 under Linux, where a small page has 4 KiB and a huge one 2 MiB.

mod advice;
mod buffer;
mod error;
mod granted;
mod page;
mod page_flags;
mod region;
pub mod settings;
pub mod smaps;
mod text;
mod text_error;

pub use buffer::Buffer;
pub use error::Error;
pub use granted::{Granted, WhyNot};
pub use page::{HUGE_PAGE_BYTES, SMALL_PAGE_BYTES, huge_pages_within, round_up_to_huge};
pub use page_flags::{PageCount, page_flags};
pub use region::{Backing, Region};
pub use text::{Remapped, RemappedFile, program_text, remap_all_text, remap_text};
pub use text_error::TextError;
