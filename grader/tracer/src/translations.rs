//! Address translations of the program, from records that generated code appends to a buffer.
//!
//! Generated code compares each access with the page that the last access of its *slot* ended in;
//! only another page is a record. A slot is a first-level TLB, as far as kinds of access go: fetches,
//! and loads and stores together or, on a machine that has one TLB for each, apart. An access to the
//! page that its slot used last hits the entry that was used last, which changes nothing in the model
//! but the count of accesses (a property test of the model says so); how many there were is in the
//! next record.
//!
//! Records wait in the buffer until it is full, a mapping changes, or the program ends. By then the
//! accesses have happened and the kernel has decided which pages they got.

use crate::{
    hot::{HOT, Word},
    options::Options,
    pages::{Page, Pages},
    sites::Sites,
};
use alloc::{boxed::Box, vec::Vec};
use models::{
    tlb::{Counts, Found, Machine, PageSize, TlbProfile, WorkingSet},
    trace::AccessKind,
};

/// Records that fit: 1 MiB, about half of an L2 cache.
const RECORDS: usize = 1 << 16;
/// Bytes of a record.
pub(crate) const RECORD_BYTES: u64 = 16;
/// No page starts here, and the distance to any address is far more than a page.
pub(crate) const NO_PAGE: u64 = 1 << 63;

/// A record's first word: the address below, then the access's size, then its kind.
pub(crate) const SIZE_SHIFT: u32 = 47;
const KIND_SHIFT: u32 = 62;
/// A size that does not fit is cut: no access is nearly as long.
const MOST_BYTES: u32 = (1 << (KIND_SHIFT - SIZE_SHIFT)) - 1;
/// A record's second word: the accesses of the slot before this one below, the site above.
const SITE_SHIFT: u32 = 40;
const COUNT_MASK: u64 = (1 << SITE_SHIFT) - 1;
/// The last site stands for all that have no number of their own.
const LAST_SITE: u32 = u32::MAX >> (SITE_SHIFT - 32);

/// What generated code adds to an address for the first word of its record.
pub(crate) fn about(bytes: u32, kind: AccessKind) -> u64 {
    u64::from(bytes.min(MOST_BYTES)) << SIZE_SHIFT | (kind.index() as u64) << KIND_SHIFT
}

/// What generated code adds to the count for the second word.
pub(crate) fn of_site(site: u32) -> u64 {
    u64::from(site.min(LAST_SITE)) << SITE_SHIFT
}

/// The words that generated code shares with this file.
pub(crate) struct SharedWords {
    /// Where the next record goes.
    pub(crate) next_record: Word,
    /// By slot: first byte of the page that was used last.
    pub(crate) last_page: [Word; 3],
    /// By slot: accesses so far. Fetches are counted by [`HOT`]'s instructions instead.
    pub(crate) accesses: [Word; 3],
    /// A block that begins after this instruction ends an interval.
    pub(crate) interval_ends: Word,
}

/// The words in use.
pub(crate) static WORDS: SharedWords = SharedWords {
    next_record: Word::new(0),
    last_page: [const { Word::new(NO_PAGE) }; 3],
    accesses: [const { Word::new(0) }; 3],
    interval_ends: Word::new(u64::MAX),
};

/// Slot of the fetches.
pub(crate) const FETCHES: usize = AccessKind::Fetch.index();

/// A slot's last access in the model, and up to which count its accesses are in the model.
#[derive(Clone, Copy)]
struct Slot {
    last: Option<(AccessKind, Page)>,
    counted: u64,
}

/// What one instruction's accesses of one kind missed.
#[derive(Clone, Copy, Default)]
pub(crate) struct SiteMisses {
    pub(crate) l1_misses: u64,
    pub(crate) walks: u64,
}

/// The buffer, the pages and the model.
pub(crate) struct Translations {
    /// Leaked, since generated code holds the address.
    buffer: &'static [Word],
    start: u64,
    pub(crate) machine: &'static Machine<'static>,
    /// Loads and stores have one slot.
    shares_slot: bool,
    profile: TlbProfile,
    pub(crate) pages: Pages,
    slots: [Slot; 3],
    /// By site, if sites are wanted.
    misses: Vec<SiteMisses>,
    /// Instructions that fetch, as the sites of `misses`; their numbers are odd.
    pub(crate) fetch_sites: Sites,
    per_site: bool,
    interval: u64,
    interval_start: u64,
    heap_end: Option<u64>,
}

impl Translations {
    pub(crate) fn new(options: &Options) -> Self {
        let words: Vec<Word> = (0..2 * RECORDS).map(|_| Word::new(0)).collect();
        let buffer: &'static [Word] = Box::leak(words.into_boxed_slice());
        let start = buffer.first().map_or(0, Word::address);
        WORDS.next_record.set(start);
        WORDS.last_page.iter().for_each(|word| word.set(NO_PAGE));
        WORDS.accesses.iter().for_each(|word| word.set(0));
        WORDS.interval_ends.set(options.interval - 1);
        let slot = Slot {
            last: None,
            counted: 0,
        };
        Self {
            buffer,
            start,
            machine: options.machine,
            shares_slot: options.machine.loads_and_stores_share(),
            profile: TlbProfile::new(options.machine, options.interval != u64::MAX),
            pages: Pages::new(options.pages),
            slots: [slot; 3],
            misses: Vec::new(),
            fetch_sites: Sites::new(),
            per_site: options.per_site,
            interval: options.interval,
            interval_start: 0,
            heap_end: None,
        }
    }

    /// The slot of an access.
    pub(crate) fn slot_of(&self, kind: AccessKind) -> usize {
        match kind {
            AccessKind::Store if self.shares_slot => AccessKind::Load.index(),
            kind => kind.index(),
        }
    }

    /// Whether misses are kept by instruction.
    pub(crate) fn is_per_site(&self) -> bool {
        self.per_site
    }

    /// A block that appends up to `count` records finds room for them up to this address.
    pub(crate) fn last_start(&self, count: u64) -> u64 {
        self.start + (RECORDS as u64).saturating_sub(count) * RECORD_BYTES
    }

    /// Feeds what has been recorded to the model, and the accesses counted since.
    pub(crate) fn drain(&mut self) {
        let used = (WORDS.next_record.get() - self.start) / RECORD_BYTES;
        WORDS.next_record.set(self.start);
        let used = usize::try_from(used).map_or(RECORDS, |used| used.min(RECORDS));
        let buffer = self.buffer;
        for record in buffer.get(..2 * used).unwrap_or_default().chunks_exact(2) {
            if let [what, count] = record {
                self.record(what.get(), count.get());
            }
        }
        for slot in 0..self.slots.len() {
            let now = match slot {
                FETCHES => HOT.instructions.get(),
                slot => WORDS.accesses.get(slot).map_or(0, Word::get),
            };
            self.count_up_to(slot, now);
        }
        self.pages.batch_ends();
    }

    /// The accesses of a slot up to number `count` went to the page that its last record named.
    fn count_up_to(&mut self, slot: usize, count: u64) {
        let Some(slot) = self.slots.get_mut(slot) else {
            return;
        };
        let more = count.wrapping_sub(slot.counted) & COUNT_MASK;
        slot.counted = slot.counted.wrapping_add(more);
        if more > 0
            && let Some((kind, page)) = slot.last
        {
            self.profile.repeat(kind, page.size, page.mapping, more);
        }
    }

    fn record(&mut self, what: u64, count: u64) {
        let kind = match what >> KIND_SHIFT {
            0 => AccessKind::Load,
            1 => AccessKind::Store,
            _ => AccessKind::Fetch,
        };
        let bytes = (what >> SIZE_SHIFT) & u64::from(MOST_BYTES);
        let address = what & ((1 << SIZE_SHIFT) - 1);
        let slot = self.slot_of(kind);
        self.count_up_to(slot, count & COUNT_MASK);
        // A site's number is never cut: it takes the bits above the count.
        let site = (count >> SITE_SHIFT) as usize;
        self.access(kind, slot, address, bytes, Some(site));
        if let Some(slot) = self.slots.get_mut(slot) {
            slot.counted = slot.counted.wrapping_add(1);
        }
    }

    /// One access, in each page that it touches.
    fn access(
        &mut self,
        kind: AccessKind,
        slot: usize,
        address: u64,
        bytes: u64,
        site: Option<usize>,
    ) {
        let shift = PageSize::Small.shift();
        let last = address.saturating_add(bytes.saturating_sub(1)) >> shift;
        for number in (address >> shift)..=last {
            let at = number << shift;
            let page = self.pages.at(at);
            let found = self.profile.access(kind, at, page.size, page.mapping);
            if let Some(slot) = self.slots.get_mut(slot) {
                slot.last = Some((kind, page));
            }
            if found != Found::First
                && self.per_site
                && let Some(site) = site
            {
                self.count_miss(site, found);
            }
        }
    }

    fn count_miss(&mut self, site: usize, found: Found) {
        if site >= self.misses.len() {
            self.misses.resize(site + 1, SiteMisses::default());
        }
        if let Some(misses) = self.misses.get_mut(site) {
            misses.l1_misses += 1;
            misses.walks += u64::from(matches!(found, Found::Walk { .. }));
        }
    }

    /// The kernel accesses memory for the program. Call [`Self::drain`] before.
    pub(crate) fn kernel(&mut self, address: u64, bytes: u64, kind: AccessKind) {
        if bytes == 0 {
            return;
        }
        let slot = self.slot_of(kind);
        self.access(kind, slot, address, bytes, None);
        self.forget_last_pages();
    }

    /// The next access of every slot is recorded, whatever page it is in.
    fn forget_last_pages(&mut self) {
        WORDS.last_page.iter().for_each(|word| word.set(NO_PAGE));
    }

    /// The mappings of `bytes` bytes from `first` on have changed. Call [`Self::drain`] before the
    /// change.
    pub(crate) fn mapping_changed(&mut self, first: u64, bytes: u64) {
        if bytes == 0 {
            return;
        }
        let last = first.saturating_add(bytes - 1);
        self.pages.changed(first, last);
        self.profile.drop_range(first, last);
        self.forget_last_pages();
    }

    /// The heap ends at `end` now. Call [`Self::drain`] before the change.
    pub(crate) fn heap_ends_at(&mut self, end: u64) {
        let before = self.heap_end.replace(end).unwrap_or(end);
        self.mapping_changed(before.min(end), before.abs_diff(end));
    }

    /// The process has forked. Call [`Self::drain`] before.
    pub(crate) fn forked(&mut self) {
        self.pages.forked();
        self.forget_last_pages();
    }

    /// Ends the interval at the current instruction; its first instruction and its working set. Call
    /// [`Self::drain`] before.
    pub(crate) fn end_interval(&mut self) -> (u64, WorkingSet) {
        let start = self.interval_start;
        self.interval_start = HOT.instructions.get();
        WORDS
            .interval_ends
            .set(self.interval_start.saturating_add(self.interval - 1));
        self.forget_last_pages();
        (start, self.profile.end_interval())
    }

    /// Whether working sets are wanted.
    pub(crate) fn has_intervals(&self) -> bool {
        self.interval != u64::MAX
    }

    /// All counts so far.
    pub(crate) fn counts(&self) -> &Counts {
        self.profile.counts()
    }

    /// Counts of each mapping, by its number in [`Pages::mappings`].
    pub(crate) fn by_mapping(&self) -> &[Counts] {
        self.profile.by_mapping()
    }

    /// Misses by site: even numbers are those of loads and stores, odd ones those of fetches.
    pub(crate) fn by_site(&self) -> &[SiteMisses] {
        &self.misses
    }
}
