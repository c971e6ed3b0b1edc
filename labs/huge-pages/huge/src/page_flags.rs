//! `/proc/self/pagemap` with `/proc/kpageflags`: page by page, for whoever may read them.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;

use crate::{Error, SMALL_PAGE_BYTES};

const PAGEMAP: &str = "/proc/self/pagemap";
const PAGE_FLAGS: &str = "/proc/kpageflags";

/// In an entry of pagemap: there is a page. Source: Documentation/admin-guide/mm/pagemap.rst.
const PRESENT: u64 = 1 << 63;
/// In an entry of pagemap: the number of the page frame, 0 for those who may not know it.
const FRAME: u64 = (1 << 55) - 1;
/// In an entry of kpageflags: part of a page of the reserved pool. Source: the same.
const POOL: u64 = 1 << 17;
/// In an entry of kpageflags: part of a transparent huge page. Source: the same.
const TRANSPARENT: u64 = 1 << 22;

/// How many small pages of a range lie in what. A frame that belongs to a huge page may still be
/// mapped as a small one; [`Granted`](crate::Granted) counts what is mapped as one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PageCount {
    /// In frames of transparent huge pages.
    pub transparent: usize,
    /// In frames of the reserved pool.
    pub pool: usize,
    /// In frames of their own.
    pub small: usize,
    /// Nowhere yet.
    pub absent: usize,
}

/// Asks the kernel about every page of a range of this process.
///
/// # Errors
///
/// [`Error::Evidence`] of kind `PermissionDenied` without `CAP_SYS_ADMIN`.
pub fn page_flags(range: Range<usize>) -> Result<PageCount, Error> {
    let trying = |file| move |source| Error::Evidence { file, source };
    let pagemap = File::open(PAGEMAP).map_err(trying(PAGEMAP))?;
    let flags = File::open(PAGE_FLAGS).map_err(trying(PAGE_FLAGS))?;
    let mut count = PageCount::default();
    for address in range.step_by(SMALL_PAGE_BYTES) {
        let entry = entry(&pagemap, address / SMALL_PAGE_BYTES).map_err(trying(PAGEMAP))?;
        if entry & PRESENT == 0 {
            count.absent += 1;
            continue;
        }
        let frame = usize::try_from(entry & FRAME).unwrap_or(0);
        if frame == 0 {
            return Err(trying(PAGEMAP)(io::ErrorKind::PermissionDenied.into()));
        }
        let flags = self::entry(&flags, frame).map_err(trying(PAGE_FLAGS))?;
        let counted = if flags & POOL != 0 {
            &mut count.pool
        } else if flags & TRANSPARENT != 0 {
            &mut count.transparent
        } else {
            &mut count.small
        };
        *counted += 1;
    }
    Ok(count)
}

/// Entry `index` of a file of 64-bit numbers.
fn entry(file: &File, index: usize) -> io::Result<u64> {
    let mut bytes = [0; size_of::<u64>()];
    let place = (index * bytes.len()) as u64;
    file.read_exact_at(&mut bytes, place)?;
    Ok(u64::from_ne_bytes(bytes))
}
