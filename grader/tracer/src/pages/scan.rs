//! Asking the kernel's page tables, through `PAGEMAP_SCAN`.

#![expect(unsafe_code, reason = "asks the kernel")]

use super::{
    pieces::{PIECE_SHIFT, State},
    smaps::Area,
};
use crate::valgrind::files::File;

/// Source: include/uapi/linux/fs.h: `_IOWR('f', 16, struct pm_scan_arg)`.
const PAGEMAP_SCAN: u64 = 0xc060_6610;
/// Something is mapped. Source: include/uapi/linux/fs.h: `PAGE_IS_PRESENT`.
const PRESENT: u64 = 1 << 3;
/// It is the page of zeros. Source: as above, `PAGE_IS_PFNZERO`.
const ZERO: u64 = 1 << 5;
/// One entry above the last level maps it: a huge page, transparent or from the pool. Source: as
/// above, `PAGE_IS_HUGE`.
const HUGE: u64 = 1 << 6;

/// Source: include/uapi/linux/fs.h: `struct pm_scan_arg`.
#[repr(C)]
struct Request {
    size: u64,
    flags: u64,
    start: u64,
    end: u64,
    walk_end: u64,
    regions: *mut Region,
    regions_len: u64,
    max_pages: u64,
    category_inverted: u64,
    category_mask: u64,
    category_anyof_mask: u64,
    return_mask: u64,
}

/// Source: include/uapi/linux/fs.h: `struct page_region`.
#[repr(C)]
#[derive(Default)]
struct Region {
    start: u64,
    end: u64,
    categories: u64,
}

/// The open page map.
pub(super) struct Scan {
    pagemap: File,
    zero_page: bool,
}

impl Scan {
    /// Opens the page map; `None` if the kernel does not let us or does not know the request.
    pub(super) fn open() -> Option<Self> {
        let pagemap = File::open(c"/proc/self/pagemap")?;
        let mut scan = Self {
            pagemap,
            zero_page: false,
        };
        scan.first_region(0).is_some().then_some(scan)
    }

    /// The first present part of the piece that `address` lies in; `None` if the kernel refuses.
    fn first_region(&mut self, address: u64) -> Option<Option<Region>> {
        let start = address >> PIECE_SHIFT << PIECE_SHIFT;
        let mut region = Region::default();
        let mut request = Request {
            size: size_of::<Request>() as u64,
            flags: 0,
            start,
            end: start + (1 << PIECE_SHIFT),
            walk_end: 0,
            regions: &raw mut region,
            regions_len: 1,
            max_pages: 0,
            category_inverted: 0,
            category_mask: PRESENT,
            category_anyof_mask: 0,
            return_mask: PRESENT | HUGE | ZERO,
        };
        // SAFETY: the request is laid out as the kernel reads it, and has room for one region.
        let found = unsafe { self.pagemap.ask(PAGEMAP_SCAN, &mut request) };
        found.ok().map(|count| (count > 0).then_some(region))
    }

    /// How the piece that `address` lies in is mapped.
    pub(super) fn state(&mut self, address: u64, area: Option<&Area>) -> State {
        self.zero_page = false;
        let Some(Some(region)) = self.first_region(address) else {
            return State::Unknown;
        };
        if region.categories & HUGE == 0 {
            return State::Small;
        }
        self.zero_page = region.categories & ZERO != 0;
        match area {
            Some(area) if area.is_giant() => State::Giant,
            _ => State::Huge,
        }
    }

    /// Whether the last answer was the huge page of zeros.
    pub(super) fn was_zero_page(&self) -> bool {
        self.zero_page
    }
}
