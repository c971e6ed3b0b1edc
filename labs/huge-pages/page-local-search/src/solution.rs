//! Yours to change: the only file of this lab that you edit.

use crate::Index;

/// The sorted keys as they are.
struct Sorted<'keys>(&'keys [u32]);

impl Index for Sorted<'_> {
    fn position(&self, key: u32) -> usize {
        self.0.partition_point(|&other| other < key)
    }
}

/// Prepares `keys`, in ascending order, for searches.
pub(crate) fn prepare(keys: &[u32]) -> Box<dyn Index + '_> {
    Box::new(Sorted(keys))
}
