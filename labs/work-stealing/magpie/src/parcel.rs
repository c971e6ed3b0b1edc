//! A closure on its way through functions that outlive what it borrows.
//!
//! A reference in an argument, even one that a closure has captured, promises to the compiler that
//! it is valid until the function returns. A thief that runs a task breaks that promise: the moment
//! it reports the end, the frames that the task borrowed from may die, while the functions that
//! ran it are still on their way out. Inside a `MaybeUninit` nothing is promised.

use std::mem::{ManuallyDrop, MaybeUninit};

/// Holds a value without vouching for the references in it.
pub(crate) struct Parcel<T>(MaybeUninit<T>);

impl<T> Parcel<T> {
    pub(crate) fn new(value: T) -> Self {
        Self(MaybeUninit::new(value))
    }

    #[expect(unsafe_code, reason = "the value is there from `new` on")]
    pub(crate) fn open(self) -> T {
        let this = ManuallyDrop::new(self);
        // SAFETY: initialized by `new`; `self` is gone, so it is read once.
        unsafe { this.0.assume_init_read() }
    }
}

impl<T> Drop for Parcel<T> {
    #[expect(unsafe_code, reason = "the value is there from `new` on")]
    fn drop(&mut self) {
        // SAFETY: initialized by `new`, and never opened, for that would have taken `self`.
        unsafe { self.0.assume_init_drop() };
    }
}
