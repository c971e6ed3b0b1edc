//! `/proc/PID/pagemap` with `/proc/kpageflags`: memory in frames of huge pages that is mapped in
//! small pieces, which smaps does not show. Only root may read them.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;

use super::Mapping;

const SMALL_PAGE_BYTES: u64 = 4 << 10;
/// There is a page. Source: Documentation/admin-guide/mm/pagemap.rst.
const PRESENT: u64 = 1 << 63;
/// The number of the page frame, 0 for those who may not know it. Source: the same.
const FRAME: u64 = (1 << 55) - 1;
/// In an entry of kpageflags: part of a transparent huge page, or of the pool. Source: the same.
const HUGE: u64 = 1 << 22 | 1 << 17;
/// Entries read at once.
const BATCH: usize = 512;

/// Bytes of each mapping that lie in frames of huge pages, in the mappings' order.
///
/// # Errors
///
/// Of kind `PermissionDenied` without the right to know page frames.
pub fn of(process: u32, mappings: &[Mapping]) -> io::Result<Vec<u64>> {
    let pagemap = File::open(format!("/proc/{process}/pagemap"))?;
    let flags = File::open("/proc/kpageflags")?;
    mappings
        .iter()
        .map(|mapping| in_huge_frames(&pagemap, &flags, mapping))
        .collect()
}

fn in_huge_frames(pagemap: &File, flags: &File, mapping: &Mapping) -> io::Result<u64> {
    let mut bytes = 0;
    if mapping.in_memory_bytes() == 0 {
        return Ok(0);
    }
    let pages = mapping.range.start / SMALL_PAGE_BYTES..mapping.range.end / SMALL_PAGE_BYTES;
    let mut entries = [0; BATCH * size_of::<u64>()];
    // The flags of the frame looked at last: the frames of a huge page follow each other.
    let mut run = (0, [0; BATCH * size_of::<u64>()]);
    for first in pages.clone().step_by(BATCH) {
        let read = read_at(pagemap, first, &mut entries)?;
        let wanted = usize::try_from(pages.end - first)
            .unwrap_or(BATCH)
            .min(BATCH);
        for entry in numbers(&entries[..read]).take(wanted) {
            if entry & PRESENT == 0 {
                continue;
            }
            let frame = entry & FRAME;
            if frame == 0 {
                return Err(io::ErrorKind::PermissionDenied.into());
            }
            let in_run = run.0 != 0 && (run.0..run.0 + BATCH as u64).contains(&frame);
            if !in_run {
                run.1.fill(0);
                read_at(flags, frame, &mut run.1)?;
                run.0 = frame;
            }
            let place = usize::try_from(frame - run.0).unwrap_or(0);
            let known = numbers(&run.1).nth(place).unwrap_or(0);
            bytes += if known & HUGE == 0 {
                0
            } else {
                SMALL_PAGE_BYTES
            };
        }
    }
    Ok(bytes)
}

/// Reads entries from `first` on; less at the end of the file.
fn read_at(file: &File, first: u64, entries: &mut [u8]) -> io::Result<usize> {
    file.read_at(entries, first * size_of::<u64>() as u64)
}

fn numbers(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let (entries, _) = bytes.as_chunks();
    entries.iter().map(|&entry| u64::from_ne_bytes(entry))
}
