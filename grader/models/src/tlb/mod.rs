//! Translation look-aside buffers: how often an access finds its translation, and how often the
//! page tables have to be walked.
//!
//! A [`Tlb`] is a hierarchy of two levels: arrays of the first level, apart for instructions and data
//! and perhaps for page sizes, and arrays of the second, apart or shared. An access looks in the
//! first-level array for its kind and page size; one that misses (an *L1 miss*) looks in the second;
//! one that misses there is a *page walk*, which reads as many levels of the page tables as the
//! walker's own caches do not hold. What was missed is put into both levels. Which geometry belongs to
//! which core is a [`Machine`]; [`machines`] has them, a source beside each number.
//!
//! The model does not know page sizes: whoever feeds it says with each access which size the page
//! really has.
//!
//! Left out: speculative and prefetched translations, walks that overlap, eviction of the first level
//! by the second (the levels are independent), the merging of neighbouring small pages that AMD's
//! cores do, a second thread of the core, and the kernel's own translations.
//!
//! [`Tlb`] is the fast form; [`naive`] is the same as lists, to read and to test against.

mod array;
mod counts;
mod hierarchy;
mod indexed;
mod machine;
pub mod machines;
pub mod naive;
mod page;
mod profile;
mod pseudo_lru;
mod scanned;
mod walker;

pub use counts::{Counts, Tally};
pub use hierarchy::{Found, Tlb};
pub use machine::{Index, Level, Machine, Policy, TlbArray, WalkCache};
pub use page::{PageSize, Side};
pub use profile::{TlbProfile, WorkingSet};

use page::Entry;

#[cfg(test)]
mod tests;
