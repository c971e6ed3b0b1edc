//! A static that all callbacks share.

#![expect(
    unsafe_code,
    reason = "Valgrind's promise that one thread runs at a time is not in the type system"
)]

use core::cell::{RefCell, RefMut};

/// A value that callbacks borrow one after the other. A nested borrow ends in a panic, not in
/// two references.
pub(crate) struct Shared<T>(RefCell<T>);

// SAFETY: Valgrind runs one guest thread at a time and calls a tool (its callbacks, and the helpers
// that generated code calls) only from the thread that holds its big lock, so two threads are never
// inside a borrow at once, and the lock orders their accesses.
unsafe impl<T> Sync for Shared<T> {}

impl<T> Shared<T> {
    /// A shared `value`.
    pub(crate) const fn new(value: T) -> Self {
        Self(RefCell::new(value))
    }

    /// The value, for as long as the guard lives.
    #[inline]
    pub(crate) fn borrow(&self) -> RefMut<'_, T> {
        self.0.borrow_mut()
    }
}
