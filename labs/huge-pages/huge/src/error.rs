//! Why a region could not be had, each with what to do next.

use std::io;

/// What can go wrong with a region.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A region of no bytes, or of more than the address space has.
    #[error("cannot map {bytes} B: a region holds between one byte and the address space")]
    Size {
        /// What was asked for.
        bytes: usize,
    },
    /// The kernel has no address space left, or a limit was reached.
    #[error("cannot map {bytes} B of memory: {source}\nAsk for less, or look at `ulimit -v`.")]
    Map {
        /// What was asked for, rounded up to whole pages.
        bytes: usize,
        /// What the kernel said.
        source: io::Error,
    },
    /// The pool of reserved huge pages has too few.
    #[error(
        "the pool has {free} free huge pages of 2 MiB and {wanted} are wanted\n\
         As root: echo {wanted} > /proc/sys/vm/nr_hugepages, and look at what was granted; \
         or ask by advice, which needs no pool."
    )]
    Pool {
        /// Huge pages that the region needs.
        wanted: usize,
        /// Huge pages that are free and promised to nobody.
        free: usize,
    },
    /// The kernel does not know transparent huge pages.
    #[error(
        "this kernel refuses MADV_HUGEPAGE ({source})\nIt was built without transparent huge pages; use a reserved pool."
    )]
    Advice {
        /// What the kernel said.
        source: io::Error,
    },
    /// Pages could not be had when they were touched.
    #[error(
        "cannot fill {bytes} B with pages: {source}\nFree memory, or raise the memory limit of the control group."
    )]
    Touch {
        /// The region's size.
        bytes: usize,
        /// What the kernel said.
        source: io::Error,
    },
    /// A kernel older than 6.1.
    #[error(
        "this kernel has no MADV_COLLAPSE; it came with Linux 6.1\nAdvise before the first touch instead."
    )]
    NoCollapse,
    /// The kernel could not put small pages together.
    #[error(
        "cannot collapse the small pages into huge ones: {source}\nMemory may be fragmented: as root, echo 1 > /proc/sys/vm/compact_memory."
    )]
    Collapse {
        /// What the kernel said.
        source: io::Error,
    },
    /// What the kernel did cannot be read.
    #[error(
        "cannot read {file}, which says what pages a region has: {source}\nIs /proc mounted and open to this process?"
    )]
    Evidence {
        /// The file.
        file: &'static str,
        /// What reading it came to.
        source: io::Error,
    },
}
