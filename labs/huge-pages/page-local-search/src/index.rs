//! What a reader prepares.

/// Sorted keys that can be searched.
pub trait Index {
    /// How many keys are smaller than `key`: the place of the first that is not.
    fn position(&self, key: u32) -> usize;
}
