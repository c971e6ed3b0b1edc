//! When each address was last used, and which two addresses of each line were used last.
//!
//! Times are kept for the touched pages of the program, one for every eight bytes at first. The
//! first access to a page that is not on a multiple of eight makes that page finer, down to single
//! bytes, so times are exact per address whatever the program does. A touched page of 4096 bytes
//! costs 2304 bytes with eight-byte addresses, 4352 with four-byte ones and at the very most 16 640
//! (0.57, 1.07 and 4.07 times its size); finding it costs 16 bytes more and 4 KiB for every chunk
//! of 4 MiB that holds one.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use super::LINE_BYTES;
use super::slots::LiveSlots;

const PAGE_BITS: u32 = 12;
const LINES_PER_PAGE: usize = 64;
/// Log2 of the pages in a chunk.
const CHUNK_BITS: u32 = 10;
const CHUNK_PAGES: usize = 1 << CHUNK_BITS;
/// Times start eight bytes apart.
const COARSEST: u8 = 3;
/// Chunks whose place is remembered beside the table; a power of two.
const REMEMBERED: usize = 64;
const FIRST_TABLE: usize = 64;
/// No address of the line.
const NONE: u8 = u8::MAX;

/// Last uses of every address the program touched.
pub(super) struct LastUse {
    /// Page 0 stands for those not touched yet.
    pages: Vec<Page>,
    /// Per chunk, the index of each of its pages.
    chunks: Vec<Box<[u32; CHUNK_PAGES]>>,
    /// Where each chunk is: open addressing, at most half full.
    table: Vec<Entry>,
    remembered: [Entry; REMEMBERED],
}

/// Chunk number plus one (0: no entry) and index of the chunk.
#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    index: u32,
}

/// Records of 64 lines, one after another.
///
/// A record is a word with the two addresses used last (see [`Recent`]), and then the slot of the
/// last use of each address, 0 for never. Addresses lie `1 << spacing` bytes apart.
struct Page {
    records: Box<[u32]>,
    /// Words in a record.
    record_len: u32,
    spacing: u8,
}

/// The record of one line, and the place of one address in it.
pub(super) struct LineUse<'a> {
    record: &'a mut [u32],
    spacing: u8,
    offset: u8,
}

/// The two addresses of a line used last, as offsets in the line: in a word, latest lowest.
#[derive(Clone, Copy)]
struct Recent {
    latest: u8,
    other: u8,
}

impl Recent {
    const fn pack(self) -> u32 {
        self.latest as u32 | (self.other as u32) << 8
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "a byte is taken from the word"
    )]
    const fn unpack(word: u32) -> Self {
        Self {
            latest: word as u8,
            other: (word >> 8) as u8,
        }
    }
}

impl LineUse<'_> {
    /// Slots of the last use of the same address and of another one of the line; 0 is never.
    ///
    /// The address is the line's latest from here on.
    #[inline]
    pub(super) fn earlier(&mut self) -> (u32, u32) {
        let same = self.record[self.place(self.offset)];
        let recent = Recent::unpack(self.record[0]);
        if recent.latest == self.offset {
            return (same, self.time_of(recent.other));
        }
        self.record[0] = Recent {
            latest: self.offset,
            other: recent.latest,
        }
        .pack();
        (same, self.time_of(recent.latest))
    }

    /// Records that the address was last used at `slot`.
    #[inline]
    pub(super) fn set(&mut self, slot: u32) {
        self.record[self.place(self.offset)] = slot;
    }

    #[inline]
    fn time_of(&self, offset: u8) -> u32 {
        if offset == NONE {
            0
        } else {
            self.record[self.place(offset)]
        }
    }

    #[inline]
    fn place(&self, offset: u8) -> usize {
        1 + usize::from(offset >> self.spacing)
    }
}

impl LastUse {
    pub(super) fn new() -> Self {
        Self {
            pages: vec![Page {
                records: Box::default(),
                record_len: 1,
                spacing: 0,
            }],
            chunks: Vec::new(),
            table: vec![Entry::default(); FIRST_TABLE],
            remembered: [Entry::default(); REMEMBERED],
        }
    }

    /// What is known of the line of `address`.
    #[inline]
    pub(super) fn line(&mut self, address: u64) -> LineUse<'_> {
        let page_number = address >> PAGE_BITS;
        let chunk_number = page_number >> CHUNK_BITS;
        let entry = self.remembered[hash(chunk_number) as usize % REMEMBERED];
        let chunk = if entry.key == chunk_number + 1 {
            entry.index as usize
        } else {
            self.find_or_add_chunk(chunk_number)
        };
        let in_chunk = index(page_number % CHUNK_PAGES as u64);
        let mut page = self.chunks[chunk][in_chunk] as usize;
        // The stand-in for pages not touched yet is empty, so it needs no test of its own.
        let in_page = index(address / LINE_BYTES % LINES_PER_PAGE as u64);
        let known = &self.pages[page];
        let end = (in_page + 1) * known.record_len as usize;
        if address & ((1 << known.spacing) - 1) != 0 || end > known.records.len() {
            page = self.prepare_page(chunk, in_chunk, address);
        }
        let Page {
            records,
            record_len,
            spacing,
        } = &mut self.pages[page];
        let record_len = *record_len as usize;
        LineUse {
            record: &mut records[in_page * record_len..(in_page + 1) * record_len],
            spacing: *spacing,
            offset: (address % LINE_BYTES) as u8,
        }
    }

    /// Carries every time over from the `old` axis to the one it was compacted to.
    pub(super) fn remap(&mut self, old: &LiveSlots) {
        for page in self.pages.iter_mut().skip(1) {
            for record in page.records.chunks_exact_mut(page.record_len as usize) {
                if Recent::unpack(record[0]).latest == NONE {
                    continue;
                }
                // Addresses that were last used in one go have one time.
                let (mut before, mut after) = (0, 0);
                for time in record[1..].iter_mut().filter(|time| **time != 0) {
                    if *time != before {
                        (before, after) = (*time, old.count_to(*time) + 1);
                    }
                    *time = after;
                }
            }
        }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        let records: usize = self
            .pages
            .iter()
            .map(|page| size_of_val(&*page.records))
            .sum();
        records
            + self.pages.capacity() * size_of::<Page>()
            + self.chunks.len() * size_of::<[u32; CHUNK_PAGES]>()
            + self.table.capacity() * size_of::<Entry>()
    }

    /// Makes sure that the page of `address` is there and tells `address` from its neighbours.
    #[cold]
    #[inline(never)]
    fn prepare_page(&mut self, chunk: usize, in_chunk: usize, address: u64) -> usize {
        let place = &mut self.chunks[chunk][in_chunk];
        if *place == 0 {
            *place = u32::try_from(self.pages.len()).expect("2^32 pages are 16 TiB touched");
            self.pages.push(Page::new(COARSEST));
        }
        let page = *place as usize;
        let spacing = address.trailing_zeros().min(u32::from(COARSEST));
        let spacing = u8::try_from(spacing).expect("at most 3");
        if spacing < self.pages[page].spacing {
            self.pages[page] = self.pages[page].finer(spacing);
        }
        page
    }

    #[cold]
    #[inline(never)]
    fn find_or_add_chunk(&mut self, chunk_number: u64) -> usize {
        let key = chunk_number + 1;
        let mut place = self.place_of(key);
        if self.table[place].key == 0 {
            if (self.chunks.len() + 1) * 2 > self.table.len() {
                self.grow();
                place = self.place_of(key);
            }
            let index = u32::try_from(self.chunks.len()).expect("fewer chunks than pages");
            self.table[place] = Entry { key, index };
            self.chunks.push(Box::new([0; CHUNK_PAGES]));
        }
        self.remembered[hash(chunk_number) as usize % REMEMBERED] = self.table[place];
        self.table[place].index as usize
    }

    /// Where `key` is, or where it would go.
    fn place_of(&self, key: u64) -> usize {
        let mut place = hash(key) as usize % self.table.len();
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
    fn new(spacing: u8) -> Self {
        let record_len = 1 + (index(LINE_BYTES) >> spacing);
        let mut records = vec![0; LINES_PER_PAGE * record_len].into_boxed_slice();
        for record in records.chunks_exact_mut(record_len) {
            record[0] = Recent {
                latest: NONE,
                other: NONE,
            }
            .pack();
        }
        Self {
            records,
            record_len: u32::try_from(record_len).expect("at most 65"),
            spacing,
        }
    }

    /// The same times with addresses closer together.
    fn finer(&self, spacing: u8) -> Self {
        let mut finer = Self::new(spacing);
        let old = self.records.chunks_exact(self.record_len as usize);
        let new = finer.records.chunks_exact_mut(finer.record_len as usize);
        for (old, new) in old.zip(new) {
            new[0] = old[0];
            let times = new[1..].iter_mut().step_by(1 << (self.spacing - spacing));
            times.zip(&old[1..]).for_each(|(new, &old)| *new = old);
        }
        finer
    }
}

/// Fibonacci hashing: 2⁶⁴ over the golden ratio sends neighbours and multiples far apart.
#[inline]
const fn hash(number: u64) -> u32 {
    (number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
}

/// A number that the caller keeps below 2³², as an index.
#[expect(
    clippy::cast_possible_truncation,
    reason = "callers take a remainder or shift first"
)]
const fn index(small: u64) -> usize {
    small as usize
}
