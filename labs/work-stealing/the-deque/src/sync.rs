//! What a deque may be built from. The gate compiles the same file against loom's own versions of
//! these names: import them from here, with `use super::sync::…`, or loom cannot see what you do.

#![expect(
    unused_imports,
    reason = "which of them a solution uses is its own affair"
)]

pub(crate) use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence};
pub(crate) use std::sync::{Mutex, MutexGuard};
