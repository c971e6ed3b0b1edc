//! Lines that move between caches.
//!
//! Each worker has a cache that never overflows. A line is in one cache to be written, or in any
//! number to be read, as in MESI. Counted are the lines that a cache has to fetch, or to get sole
//! use of: each is a message to another core, and some 40 to 100 cycles on a desktop part.

use std::collections::HashMap;

use crate::layout::LINE_BYTES;

/// A cache line's state.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    /// A bit for each worker whose cache has it.
    holders: u64,
    /// Whether the only holder may write it.
    exclusive: bool,
}

/// The caches of up to 64 workers.
#[derive(Debug, Default)]
pub(crate) struct Caches {
    lines: HashMap<usize, Line>,
    transfers: u64,
}

impl Caches {
    pub(crate) fn read(&mut self, worker: usize, address: usize) {
        let line = self.lines.entry(address / LINE_BYTES).or_default();
        if line.holders & 1 << worker == 0 {
            self.transfers += 1;
            line.holders |= 1 << worker;
            line.exclusive = line.holders.is_power_of_two();
        }
    }

    pub(crate) fn write(&mut self, worker: usize, address: usize) {
        let line = self.lines.entry(address / LINE_BYTES).or_default();
        if line.holders != 1 << worker || !line.exclusive {
            self.transfers += 1;
            *line = Line {
                holders: 1 << worker,
                exclusive: true,
            };
        }
    }

    pub(crate) fn transfers(&self) -> u64 {
        self.transfers
    }
}

#[cfg(test)]
mod tests {
    use super::Caches;

    #[test]
    fn a_line_is_fetched_once_for_many_accesses_of_one_worker() {
        let mut caches = Caches::default();
        for _ in 0..10 {
            caches.read(0, 8);
            caches.write(0, 56);
        }
        assert_eq!(caches.transfers(), 1);
    }

    #[test]
    fn two_writers_of_different_words_pass_the_line_back_and_forth() {
        let mut caches = Caches::default();
        for _ in 0..10 {
            caches.write(0, 0);
            caches.write(1, 8);
        }
        assert_eq!(caches.transfers(), 20);
    }

    #[test]
    fn readers_share_and_a_writer_takes_it_from_all() {
        let mut caches = Caches::default();
        caches.write(0, 0);
        caches.read(1, 0);
        caches.read(2, 0);
        assert_eq!(caches.transfers(), 3);
        caches.write(0, 0);
        assert_eq!(caches.transfers(), 4);
        caches.read(2, 0);
        assert_eq!(caches.transfers(), 5);
    }
}
