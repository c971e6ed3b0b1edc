//! A directory of the first keys of all pages: searched first, it leaves one page to be searched.

use crate::Index;

// ANCHOR: prepare
/// Keys on a page of 4 KiB.
const KEYS_PER_PAGE: usize = 1024;

/// The sorted keys, and a directory of 4 B for each of their pages.
struct Paged<'keys> {
    keys: &'keys [u32],
    first_keys: Vec<u32>,
}

impl Index for Paged<'_> {
    fn position(&self, key: u32) -> usize {
        // The last page that starts with a smaller key holds the first key that is not smaller, or
        // ends right before it.
        let pages_before = self.first_keys.partition_point(|&first| first < key);
        let Some(page) = pages_before.checked_sub(1) else {
            return 0;
        };
        let start = page * KEYS_PER_PAGE;
        let end = self.keys.len().min(start + KEYS_PER_PAGE);
        start + self.keys[start..end].partition_point(|&other| other < key)
    }
}

/// Prepares `keys`, in ascending order, for searches.
pub(crate) fn prepare(keys: &[u32]) -> Box<dyn Index + '_> {
    let first_keys = keys.iter().step_by(KEYS_PER_PAGE).copied().collect();
    Box::new(Paged { keys, first_keys })
}
// ANCHOR_END: prepare
