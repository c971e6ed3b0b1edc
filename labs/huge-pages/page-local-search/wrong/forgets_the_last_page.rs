//! Cuts the keys into whole pages and forgets those that fill none.

use crate::Index;

struct Paged<'keys> {
    pages: &'keys [[u32; 1024]],
}

impl Index for Paged<'_> {
    fn position(&self, key: u32) -> usize {
        let before = self.pages.partition_point(|page| page[0] < key);
        let Some(page) = before.checked_sub(1) else {
            return 0;
        };
        page * 1024 + self.pages[page].partition_point(|&other| other < key)
    }
}

pub(crate) fn prepare(keys: &[u32]) -> Box<dyn Index + '_> {
    Box::new(Paged {
        pages: keys.as_chunks().0,
    })
}
