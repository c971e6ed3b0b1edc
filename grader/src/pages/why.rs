//! Why a mapping is not on huge pages, and the next step.
//!
//! The reasons stand in the order in which the kernel would meet them: what the mapping is, what the
//! process and the machine allow, what was advised, and at the end what memory there was.
//! Sources: Documentation/admin-guide/mm/transhuge.rst and hugetlbpage.rst, madvise(2).

use serde::Serialize;

use super::Mapping;
use super::mapping::{HUGE_PAGE_BYTES, Kind};
use crate::pages::settings::{HugePageSettings, Transparent};

/// What decides for all mappings of a process alike.
#[derive(Debug, Clone)]
pub struct Circumstances {
    /// The machine's settings.
    pub settings: HugePageSettings,
    /// Whether transparent huge pages are allowed to the process.
    pub process_allowed: bool,
}

/// Why a mapping, or the rest of it, is on small pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Why {
    /// Memory that could be had: advise.
    NotAdvised,
    /// Huge pages are off on this machine.
    Off,
    /// The kernel has none.
    Absent,
    /// They are off for this process.
    ProcessDisabled,
    /// It was told to stay small.
    AdvisedSmall,
    /// Advised and allowed, and the kernel gave small pages.
    NoneFree,
    /// Shared memory, for which a setting of its own says no.
    SharedOff,
    /// Shared memory that could be had: advise.
    SharedNotAdvised,
    /// Code of a file, from a file system that maps small pages.
    TextOfFile,
    /// Other contents of a file.
    FileSystem,
    /// No aligned 2 MiB between its ends, though it has as much.
    Unaligned,
    /// Less than 2 MiB.
    TooSmall,
    /// No pages of any size yet.
    Untouched,
    /// Made by the kernel.
    Kernel,
}

impl Why {
    /// The reason for a mapping; `None` if all of it that can be huge is.
    pub fn of(mapping: &Mapping, circumstances: &Circumstances) -> Option<Self> {
        let settings = &circumstances.settings;
        let whole = mapping.whole_huge_bytes();
        let kind = mapping.kind();
        if kind == Kind::Pool || (whole > 0 && mapping.huge_bytes >= whole) {
            return None;
        }
        // What is in memory may be less than the mapping and still be all huge.
        if mapping.huge_bytes > 0 && mapping.huge_bytes == mapping.in_memory_bytes() {
            return None;
        }
        Some(if kind == Kind::Kernel {
            Self::Kernel
        } else if mapping.bytes() < HUGE_PAGE_BYTES {
            Self::TooSmall
        } else if mapping.in_memory_bytes() == 0 {
            Self::Untouched
        } else if whole == 0 {
            Self::Unaligned
        } else if settings.transparent == Transparent::Absent {
            Self::Absent
        } else if kind == Kind::Text {
            Self::TextOfFile
        } else if kind == Kind::File {
            Self::FileSystem
        } else if !circumstances.process_allowed {
            Self::ProcessDisabled
        } else if mapping.has_flag("nh") {
            Self::AdvisedSmall
        } else if kind == Kind::Shared {
            match settings.shmem.as_deref() {
                Some("always" | "within_size" | "force") => Self::NoneFree,
                Some("advise") if mapping.has_flag("hg") => Self::NoneFree,
                Some("advise") => Self::SharedNotAdvised,
                _ => Self::SharedOff,
            }
        } else {
            match settings.transparent {
                Transparent::Never | Transparent::Absent => Self::Off,
                Transparent::Advised if !mapping.has_flag("hg") => Self::NotAdvised,
                Transparent::Advised | Transparent::Always => Self::NoneFree,
            }
        })
    }

    /// The reason in a few words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotAdvised => "advice missing",
            Self::Off => "transparent huge pages are off",
            Self::Absent => "this kernel has no transparent huge pages",
            Self::ProcessDisabled => "off for this process",
            Self::AdvisedSmall => "told to stay on small pages",
            Self::NoneFree => "advised in vain",
            Self::SharedOff => "off for shared memory",
            Self::SharedNotAdvised => "shared memory, advice missing",
            Self::TextOfFile => "code mapped from a file",
            Self::FileSystem => "data mapped from a file",
            Self::Unaligned => "no aligned 2 MiB between its ends",
            Self::TooSmall => "smaller than 2 MiB",
            Self::Untouched => "not touched yet",
            Self::Kernel => "made by the kernel",
        }
    }

    /// What to do, for a program's author.
    pub const fn next(self) -> &'static str {
        match self {
            Self::NotAdvised => {
                "call madvise(MADV_HUGEPAGE) on it before the first touch, as huge::Region does. \
                 For what malloc gives: start the program with \
                 GLIBC_TUNABLES=glibc.malloc.hugetlb=1 (glibc 2.35 or newer)."
            }
            Self::Off => {
                "as root: echo madvise > /sys/kernel/mm/transparent_hugepage/enabled. Without \
                 root, only a reserved pool gives huge pages."
            }
            Self::Absent => {
                "reserve a pool, as root: echo 64 > /proc/sys/vm/nr_hugepages, and map with \
                 MAP_HUGETLB."
            }
            Self::ProcessDisabled => {
                "find who called prctl(PR_SET_THP_DISABLE): children inherit it. In a service \
                 file it may stand as MemoryTHP=disable."
            }
            Self::AdvisedSmall => {
                "leave out madvise(MADV_NOHUGEPAGE); who called it feared for memory, so measure \
                 that too."
            }
            Self::NoneFree => {
                "the first touch came before the advice, or no huge page was free, or a control \
                 group is at its limit. Advise first; or call madvise(MADV_COLLAPSE); as root, \
                 echo 1 > /proc/sys/vm/compact_memory makes free ones."
            }
            Self::SharedOff => {
                "as root: echo advise > /sys/kernel/mm/transparent_hugepage/shmem_enabled, then \
                 madvise(MADV_HUGEPAGE)."
            }
            Self::SharedNotAdvised => "call madvise(MADV_HUGEPAGE) on it before the first touch.",
            Self::TextOfFile => {
                "call huge::remap_text() first thing in main. Or link with \
                 -z max-page-size=2097152 and keep the file where large folios are: XFS, Btrfs, \
                 ext4 from Linux 6.16 on."
            }
            Self::FileSystem => {
                "copy what is used at random into a huge::Buffer at the start; or keep the file \
                 in a tmpfs mounted with huge=advise."
            }
            Self::Unaligned => {
                "map 2 MiB more than needed and start at a multiple of 2 MiB, as huge::Region \
                 does."
            }
            Self::TooSmall => {
                "nothing, unless there are many: then place them together in one mapping of some \
                 megabytes."
            }
            Self::Untouched => "nothing: pages come with the first touch.",
            Self::Kernel => "nothing.",
        }
    }
}

#[cfg(test)]
mod tests;
