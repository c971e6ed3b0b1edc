//! When each address was last used, and which two addresses of each line were used last.
//!
//! Times are kept per page of the program, one for every eight bytes at first. The first access to
//! a page that is not on a multiple of eight makes that page finer, down to single bytes, so times
//! are exact per address whatever the program does. A touched page of 4096 bytes costs 2176 bytes
//! with eight-byte addresses, 4224 with four-byte ones and at the very most 16 512 (0.53, 1.03 and
//! 4.03 times its size), plus some fifty for finding it.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::LINE_BYTES;
use super::slots::Moved;

const PAGE_BYTES: usize = 4096;
const LINES_PER_PAGE: usize = PAGE_BYTES / index(LINE_BYTES);
/// Times start eight bytes apart.
const COARSEST: u8 = 3;
/// No address: offsets in a line are below 64.
const NONE: u8 = u8::MAX;
/// Pages whose place is remembered beside the table; a power of two.
const REMEMBERED: usize = 256;
const FIRST_TABLE: usize = 1024;

/// The two addresses of a line used last, as offsets in the line.
#[derive(Clone, Copy)]
struct Recent {
    latest: u8,
    other: u8,
}

struct Page {
    /// Times lie `1 << spacing` bytes apart.
    spacing: u8,
    recent: [Recent; LINES_PER_PAGE],
    /// Slot of the last use of each address in the page, in address order; 0 is never.
    times: Box<[u32]>,
}

/// An entry of the tables: page number plus one (0: empty) and index of the page.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    index: u32,
}

/// Last uses of every address the program touched.
pub(super) struct LastUse {
    pages: Vec<Page>,
    /// Open addressing, at most half full.
    table: Vec<Entry>,
    remembered: Box<[Entry; REMEMBERED]>,
}

/// The earlier uses that one access finds: slots, 0 is never.
pub(super) struct Earlier {
    /// Of the same address.
    pub(super) same: u32,
    /// Of another address of the line.
    pub(super) other: u32,
    page: usize,
    time: usize,
}

impl LastUse {
    pub(super) fn new() -> Self {
        Self {
            pages: Vec::new(),
            table: vec![Entry::default(); FIRST_TABLE],
            remembered: Box::new([Entry::default(); REMEMBERED]),
        }
    }

    /// What is known of `address`, which then counts as the line's latest.
    ///
    /// The caller gives the time of this use to [`LastUse::set`].
    #[inline]
    pub(super) fn touch(&mut self, address: u64) -> Earlier {
        let page_number = address / PAGE_BYTES as u64;
        let entry = self.remembered[index(page_number % REMEMBERED as u64)];
        let place = if entry.key == page_number + 1 {
            entry.index as usize
        } else {
            self.find_or_add(page_number)
        };
        let page = &mut self.pages[place];
        if address & ((1 << page.spacing) - 1) != 0 {
            page.refine(address);
        }
        let spacing = page.spacing;
        let in_page = index(address % PAGE_BYTES as u64);
        let offset = (address % LINE_BYTES) as u8;
        let line_start = in_page - usize::from(offset);
        let time = in_page >> spacing;
        let time_of = |offset: u8| match offset {
            NONE => 0,
            offset => page.times[(line_start + usize::from(offset)) >> spacing],
        };

        let recent = &mut page.recent[in_page / index(LINE_BYTES)];
        let same = page.times[time];
        let other = if recent.latest == offset {
            time_of(recent.other)
        } else {
            let other = time_of(recent.latest);
            *recent = Recent {
                latest: offset,
                other: recent.latest,
            };
            other
        };
        Earlier {
            same,
            other,
            page: place,
            time,
        }
    }

    /// Records `slot` as the time of the use that `earlier` came from.
    #[inline]
    pub(super) fn set(&mut self, earlier: &Earlier, slot: u32) {
        self.pages[earlier.page].times[earlier.time] = slot;
    }

    /// Carries every time over to a compacted axis.
    pub(super) fn remap(&mut self, moved: &Moved) {
        for page in &mut self.pages {
            let per_line = page.times.len() / LINES_PER_PAGE;
            for (recent, times) in page
                .recent
                .iter()
                .zip(page.times.chunks_exact_mut(per_line))
            {
                if recent.latest == NONE {
                    continue;
                }
                for time in times.iter_mut().filter(|time| **time != 0) {
                    *time = moved.slot(*time);
                }
            }
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let times: usize = self
            .pages
            .iter()
            .map(|page| page.times.len() * size_of::<u32>())
            .sum();
        times
            + self.pages.capacity() * size_of::<Page>()
            + self.table.capacity() * size_of::<Entry>()
            + size_of_val(&*self.remembered)
    }

    #[cold]
    #[inline(never)]
    fn find_or_add(&mut self, page_number: u64) -> usize {
        let key = page_number + 1;
        let mut place = self.place_of(key);
        if self.table[place].key == 0 {
            if (self.pages.len() + 1) * 2 > self.table.len() {
                self.grow();
                place = self.place_of(key);
            }
            let index = u32::try_from(self.pages.len()).expect("2^32 pages are 16 TiB touched");
            self.table[place] = Entry { key, index };
            self.pages.push(Page::new());
        }
        self.remembered[index(page_number % REMEMBERED as u64)] = self.table[place];
        self.table[place].index as usize
    }

    /// Where `key` is, or where it would go.
    fn place_of(&self, key: u64) -> usize {
        // Fibonacci hashing: neighbouring pages spread over the table.
        let hash = key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32;
        let mut place = index(hash) % self.table.len();
        while self.table[place].key != 0 && self.table[place].key != key {
            place = (place + 1) % self.table.len();
        }
        place
    }

    fn grow(&mut self) {
        let larger = vec![Entry::default(); self.table.len() * 2];
        let old = core::mem::replace(&mut self.table, larger);
        for entry in old.into_iter().filter(|entry| entry.key != 0) {
            let place = self.place_of(entry.key);
            self.table[place] = entry;
        }
    }
}

impl Page {
    fn new() -> Self {
        Self {
            spacing: COARSEST,
            recent: [Recent {
                latest: NONE,
                other: NONE,
            }; LINES_PER_PAGE],
            times: vec![0; PAGE_BYTES >> COARSEST].into_boxed_slice(),
        }
    }

    /// Sets times close enough together to tell `address` from its neighbours.
    #[cold]
    #[inline(never)]
    fn refine(&mut self, address: u64) {
        let spacing = u8::try_from(address.trailing_zeros()).expect("at most 64");
        let mut finer = vec![0; PAGE_BYTES >> spacing].into_boxed_slice();
        for (place, &time) in self.times.iter().enumerate() {
            finer[place << (self.spacing - spacing)] = time;
        }
        self.times = finer;
        self.spacing = spacing;
    }
}

/// A number that the caller keeps below 2³², as an index.
#[expect(
    clippy::cast_possible_truncation,
    reason = "callers take a remainder or shift first"
)]
const fn index(small: u64) -> usize {
    small as usize
}
