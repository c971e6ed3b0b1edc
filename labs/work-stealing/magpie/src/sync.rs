//! The only door to shared memory: everything that two threads touch comes through here.
//!
//! The crate `magpie-loom` compiles the same source files with a `sync` of its own that hands out
//! loom's types instead, so what the model checker explores is this code and no copy of it.

pub(crate) use std::cell::Cell;
pub(crate) use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering, fence};
pub(crate) use std::sync::{Mutex, MutexGuard};
