//! Goes to the last page that starts with the key, though equal keys may begin a page earlier.

use crate::Index;

struct Paged<'keys> {
    keys: &'keys [u32],
    first_keys: Vec<u32>,
}

impl Index for Paged<'_> {
    fn position(&self, key: u32) -> usize {
        let page = self.first_keys.partition_point(|&first| first <= key);
        let start = page.saturating_sub(1) * 1024;
        let end = self.keys.len().min(start + 1024);
        start + self.keys[start..end].partition_point(|&other| other < key)
    }
}

pub(crate) fn prepare(keys: &[u32]) -> Box<dyn Index + '_> {
    let first_keys = keys.iter().step_by(1024).copied().collect();
    Box::new(Paged { keys, first_keys })
}
