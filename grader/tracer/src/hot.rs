//! The words that generated code reads and writes.
//!
//! To Rust they are atomics that somebody else changes; to generated code they are 64-bit words at
//! fixed addresses. Valgrind runs one thread at a time, so relaxed accesses suffice throughout.

use core::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// One 64-bit word that generated code knows by its address.
pub(crate) struct Word(AtomicU64);

impl Word {
    pub(crate) const fn new(value: u64) -> Self {
        Self(AtomicU64::new(value))
    }

    #[inline]
    pub(crate) fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }

    #[inline]
    pub(crate) fn set(&self, value: u64) {
        self.0.store(value, Relaxed);
    }

    /// Where generated code finds the word.
    pub(crate) fn address(&self) -> u64 {
        self.0.as_ptr().expose_provenance() as u64
    }
}

/// All words of the tool that are not tables.
pub(crate) struct Hot {
    /// Instructions executed inside the region, up to the last exit passed.
    pub(crate) instructions: Word,
    /// A block whose end would pass this instruction number reports before it runs.
    pub(crate) check_at: Word,
    /// Address of the [`crate::filter::Filter`] in use.
    pub(crate) filter: Word,
    /// All ones inside the region, zero outside. Read only if there is a region.
    pub(crate) inside: Word,
    /// A block that starts with a stack pointer above this one has left the region.
    pub(crate) leave_above: Word,
    /// Where the next record goes.
    pub(crate) next_record: Word,
}

/// The words in use.
pub(crate) static HOT: Hot = Hot {
    instructions: Word::new(0),
    check_at: Word::new(u64::MAX),
    filter: Word::new(0),
    inside: Word::new(u64::MAX),
    leave_above: Word::new(u64::MAX),
    next_record: Word::new(0),
};
