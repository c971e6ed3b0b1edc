//! Loom's types under the names that magpie's sources import.

pub(crate) use loom::cell::Cell;
pub(crate) use loom::sync::atomic::{AtomicPtr, AtomicUsize, Ordering, fence};
pub(crate) use loom::sync::{Mutex, MutexGuard};
