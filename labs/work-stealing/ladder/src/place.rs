//! How the workers' states lie in memory, when a vector holds them.

use std::ops::Deref;

/// What keeps a state apart from its neighbour, if anything does.
pub(crate) trait Place<T>: From<T> + Deref<Target = T> + Sync {}

/// Side by side: two workers' states may share a cache line.
pub(crate) struct Packed<T>(T);

/// Two lines each, since the prefetcher fetches lines in pairs.
#[repr(align(128))]
pub(crate) struct Apart<T>(T);

impl<T: Sync> Place<T> for Packed<T> {}
impl<T: Sync> Place<T> for Apart<T> {}

impl<T> From<T> for Packed<T> {
    fn from(state: T) -> Self {
        Self(state)
    }
}

impl<T> From<T> for Apart<T> {
    fn from(state: T) -> Self {
        Self(state)
    }
}

impl<T> Deref for Packed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Deref for Apart<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
