//! `/proc/self/maps` and `/proc/self/smaps`: areas, and sums of huge pages in them.
//!
//! On a kernel without `PAGEMAP_SCAN` the sums stand in for the page tables. A sum of zero means
//! small pages and one as large as all whole pieces means huge ones. In between, what counts is how
//! the sum grew since the last batch of accesses: so many of the pieces first touched in the batch, in
//! the order of their first access, are taken as huge.

use super::pieces::{PIECE_SHIFT, State};
use crate::valgrind::files::File;
use alloc::{
    collections::BTreeMap,
    string::{String, ToString},
    vec::Vec,
};
use core::str;
use models::tlb::PageSize;

/// Sums of pages that one entry above the last level maps. Source: fs/proc/task_mmu.c.
const HUGE_SUMS: [&str; 3] = ["AnonHugePages", "ShmemPmdMapped", "FilePmdMapped"];
const PAGE_SIZE: &str = "KernelPageSize";

/// One line of the list of mappings.
#[derive(Clone, Debug)]
pub(super) struct Area {
    /// First byte, and the one after the last.
    pub(super) start: u64,
    pub(super) end: u64,
    pub(super) rights: String,
    pub(super) name: String,
}

impl Area {
    /// An area that holds no address.
    pub(super) fn nameless(name: &str) -> Self {
        Self {
            start: 0,
            end: 0,
            rights: String::new(),
            name: name.into(),
        }
    }

    pub(super) fn holds(&self, address: u64) -> bool {
        (self.start..self.end).contains(&address)
    }

    /// Whether the 2 MB piece around `address` lies within the area.
    pub(super) fn has_whole_piece(&self, address: u64) -> bool {
        let start = address >> PIECE_SHIFT << PIECE_SHIFT;
        self.start <= start && start + (1 << PIECE_SHIFT) <= self.end
    }

    /// Whether the kernel maps it in pages of 1 GB. The question costs a look at all areas, so only
    /// those that could be are asked about.
    pub(super) fn is_giant(&self) -> bool {
        let giant = PageSize::Giant.bytes();
        let could = self.start.is_multiple_of(giant) && self.end - self.start >= giant;
        could && page_bytes(self.start) == Some(giant)
    }

    /// `start-end rights offset device inode name`; `None` for any other line.
    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        let line = String::from_utf8_lossy(line);
        let mut words = line.splitn(6, ' ');
        let (start, end) = words.next()?.split_once('-')?;
        let start = u64::from_str_radix(start, 16).ok()?;
        let end = u64::from_str_radix(end, 16).ok()?;
        let rights = words.next()?.to_string();
        let name = words.nth(3).unwrap_or_default();
        Some(Self {
            start,
            end,
            rights,
            name: name.trim_start().to_string(),
        })
    }
}

/// The areas of `smaps`, each with what the lines after it say in kB.
fn areas() -> Vec<(Area, BTreeMap<String, u64>)> {
    let text = File::open(c"/proc/self/smaps").map(|file| file.read_to_end());
    let mut areas: Vec<(Area, BTreeMap<String, u64>)> = Vec::new();
    for line in text.unwrap_or_default().split(|&byte| byte == b'\n') {
        if let Some((name, size)) = size_line(line) {
            if let Some((_, sizes)) = areas.last_mut() {
                sizes.insert(name, size);
            }
        } else if let Some(area) = Area::parse(line) {
            areas.push((area, BTreeMap::new()));
        }
    }
    areas
}

/// `Name:   number kB`.
fn size_line(line: &[u8]) -> Option<(String, u64)> {
    let line = str::from_utf8(line).ok()?;
    let (name, rest) = line.split_once(':')?;
    let size = rest.trim().strip_suffix(" kB")?.parse().ok()?;
    Some((name.into(), size))
}

/// The size of the pages that the kernel maps the area at `start` in.
fn page_bytes(start: u64) -> Option<u64> {
    let found = areas().into_iter().find(|(area, _)| area.start == start);
    found?.1.get(PAGE_SIZE).map(|size| size << 10)
}

/// What `smaps` says of an area.
#[derive(Clone, Copy, Default)]
struct Sum {
    /// Pieces that are huge.
    huge: u64,
    page_bytes: u64,
}

/// The sums of all areas.
pub(super) struct Sums {
    /// By the area's first byte; `None` until asked for in this batch.
    now: Option<BTreeMap<u64, Sum>>,
}

impl Sums {
    /// `None` if the kernel does not let us read `smaps`.
    pub(super) fn open() -> Option<Self> {
        File::open(c"/proc/self/smaps").map(|_| Self { now: None })
    }

    pub(super) fn batch_ends(&mut self) {
        self.now = None;
    }

    /// How the piece that `address` lies in is mapped, if so many others of its area are `known` to
    /// be huge.
    pub(super) fn state(&mut self, address: u64, area: &Area, known: u64) -> State {
        let sums = self.now.get_or_insert_with(|| {
            let sums = areas().into_iter().map(|(area, sizes)| {
                let size = |name: &str| sizes.get(name).copied().unwrap_or_default();
                let kilobytes: u64 = HUGE_SUMS.into_iter().map(size).sum();
                let huge = kilobytes >> (PIECE_SHIFT - 10);
                let page_bytes = size(PAGE_SIZE) << 10;
                (area.start, Sum { huge, page_bytes })
            });
            sums.collect()
        });
        let sum = sums.get(&area.start).copied().unwrap_or_default();
        match sum.page_bytes >> PIECE_SHIFT {
            0 => {}
            1 => return State::Huge,
            _ => return State::Giant,
        }
        if sum.huge == 0 || !area.has_whole_piece(address) {
            return State::Small;
        }
        if sum.huge > known {
            State::Huge
        } else {
            State::Small
        }
    }
}
