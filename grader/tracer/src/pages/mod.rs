//! Which page size the kernel really uses for an address, and which mapping the address belongs to.
//!
//! The traced program's memory is this process's memory, so the kernel's files about this process
//! speak of it. The kernel decides page sizes in pieces of 2 MB, aligned, when one is first touched:
//! either the piece is one huge page, or it has a table of small ones. So each piece is asked about
//! once, after it was first touched, and again after a system call that changes mappings there
//! ([`Pages::changed`]). Two states are not final and are asked about at every drain: the huge page of
//! zeros, which a first write replaces, and every huge page after a fork, which a first write may
//! split.
//!
//! What this assumes: that nobody else changes the pages. The kernel's own collapse of small pages
//! into huge ones in the background (khugepaged) is not seen, nor the splitting of huge pages under
//! memory pressure; both take seconds, and both would make two runs differ.
//!
//! The kernel's answer comes from `PAGEMAP_SCAN` ([`scan`]), which needs no rights and knows what is
//! mapped by one entry. Kernels before 6.7 have no such call: there, sums in `smaps` say how much of
//! a mapping is huge ([`smaps`]). Where neither may be read, the result says so.

mod lookaside;
mod mappings;
mod pieces;
mod scan;
mod smaps;

use crate::options::PageSource;
use lookaside::Lookaside;
use mappings::{Mapping, Mappings};
use models::tlb::PageSize;
use pieces::{Pieces, State};
use scan::Scan;
use smaps::Sums;

/// What an address's page is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Page {
    pub(crate) size: PageSize,
    /// Number of its mapping in [`Pages::mappings`].
    pub(crate) mapping: usize,
}

/// Where page sizes come from.
enum Source {
    /// Not asked: all pages are small.
    AllSmall,
    /// Nothing answers: all pages are taken as small.
    Unreadable,
    /// Not asked: every piece that lies within one mapping is huge.
    AllHuge,
    Scan(Scan),
    Sums(Sums),
}

/// The pages of the process.
pub(crate) struct Pages {
    source: Source,
    recent: Lookaside,
    mappings: Mappings,
    pieces: Pieces,
    /// Huge pages may be split by a write: the process has forked.
    shared: bool,
}

impl Pages {
    pub(crate) fn new(source: PageSource) -> Self {
        let sums = || Sums::open().map_or(Source::Unreadable, Source::Sums);
        let source = match source {
            PageSource::Small => Source::AllSmall,
            PageSource::Huge => Source::AllHuge,
            PageSource::Sums => sums(),
            PageSource::Process => Scan::open().map_or_else(sums, Source::Scan),
        };
        Self {
            source,
            recent: Lookaside::new(),
            mappings: Mappings::new(),
            pieces: Pieces::new(),
            shared: false,
        }
    }

    /// How sizes are found out, for the result.
    pub(crate) fn method(&self) -> &'static str {
        match self.source {
            Source::AllSmall => "assumed 4k",
            Source::Unreadable => "unreadable",
            Source::AllHuge => "assumed 2m",
            Source::Scan(_) => "pagemap scan",
            Source::Sums(_) => "smaps sums",
        }
    }

    /// The page at `address`, which was accessed.
    #[inline]
    pub(crate) fn at(&mut self, address: u64) -> Page {
        if let Some(page) = self.recent.find(address) {
            return page;
        }
        let page = self.look_up(address);
        self.recent.keep(address, page);
        page
    }

    fn look_up(&mut self, address: u64) -> Page {
        let mapping = self.mappings.number_at(address);
        let size = match self.pieces.state(address) {
            State::Small => PageSize::Small,
            State::Huge => PageSize::Huge,
            State::Giant => PageSize::Giant,
            State::Unknown => self.find_out(address),
        };
        Page { size, mapping }
    }

    #[cold]
    fn find_out(&mut self, address: u64) -> PageSize {
        let area = self.mappings.area_at(address);
        let state = match &mut self.source {
            Source::AllSmall | Source::Unreadable => State::Small,
            Source::AllHuge => match area {
                Some(area) if area.has_whole_piece(address) => State::Huge,
                _ => State::Small,
            },
            Source::Scan(scan) => scan.state(address, area),
            Source::Sums(sums) => area.map_or(State::Unknown, |area| {
                let known = self.pieces.huge_in(area.start, area.end);
                sums.state(address, area, known)
            }),
        };
        let (state, is_final) = match state {
            // Nothing is there, as far as the kernel says: ask again.
            State::Unknown => (State::Small, false),
            State::Huge => (state, !self.shared),
            state => (state, true),
        };
        let is_final = is_final && !self.is_zero_page();
        self.pieces.set(address, state, is_final);
        match state {
            State::Huge => PageSize::Huge,
            State::Giant => PageSize::Giant,
            State::Small | State::Unknown => PageSize::Small,
        }
    }

    /// Whether the last answer was the huge page of zeros.
    fn is_zero_page(&self) -> bool {
        matches!(&self.source, Source::Scan(scan) if scan.was_zero_page())
    }

    /// A batch of accesses ends: what is not final is asked about again when it is next accessed.
    pub(crate) fn batch_ends(&mut self) {
        if self.pieces.forget_unsettled() {
            self.recent.clear();
        }
        self.mappings.batch_ends();
        if let Source::Sums(sums) = &mut self.source {
            sums.batch_ends();
        }
    }

    /// A system call changed the mappings of the bytes `first ..= last`.
    pub(crate) fn changed(&mut self, first: u64, last: u64) {
        self.recent.clear();
        self.mappings.are_stale();
        self.pieces.forget(first, last);
    }

    /// The process has forked: it shares its pages with another.
    pub(crate) fn forked(&mut self) {
        self.recent.clear();
        self.shared = true;
        self.pieces.forget(0, u64::MAX);
    }

    /// The mappings that were accessed, by number.
    pub(crate) fn mappings(&self) -> &[Mapping] {
        self.mappings.known()
    }
}
