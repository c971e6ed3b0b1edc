//! Anonymous memory, aligned to huge pages.

use std::hint::black_box;
use std::io;
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::ptr;

use crate::advice::{Advice, advise};
use crate::granted::Granted;
use crate::{Error, HUGE_PAGE_BYTES, round_up_to_huge, settings};

/// What pages a region asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backing {
    /// Small ones, on every machine: `MADV_NOHUGEPAGE`.
    Small,
    /// Transparent huge pages, if the kernel has them to give: `MADV_HUGEPAGE`.
    Advised,
    /// Huge pages from the pool that an administrator reserved: `MAP_HUGETLB`. All are taken at
    /// once, so that none is missing half way.
    Pool,
}

/// Zeroed memory of this process alone, aligned to 2 MiB and a multiple of it long.
///
/// It lies between two stretches of address space that nothing can be mapped to, so the kernel never
/// joins it with a neighbour and what it reports is this region's.
#[derive(Debug)]
pub struct Region {
    /// All address space that is held, guards included.
    held: Range<usize>,
    start: *mut u8,
    bytes: usize,
    backing: Backing,
}

#[expect(unsafe_code, reason = "a pointer keeps a type from being Send")]
// SAFETY: a region owns its memory and hands out references only by its own borrow.
unsafe impl Send for Region {}
#[expect(
    unsafe_code,
    reason = "a pointer of its own keeps a type from being Sync"
)]
// SAFETY: a shared region gives out its address and shared slices; it is written through `&mut` only.
unsafe impl Sync for Region {}

impl Region {
    /// Maps `bytes`, rounded up to whole huge pages.
    ///
    /// # Errors
    ///
    /// [`Error::Size`], [`Error::Map`], [`Error::Pool`] if the pool has too few free pages, and
    /// [`Error::Advice`] from a kernel without transparent huge pages. That the kernel will not
    /// follow the advice is no error: [`Region::granted`] tells, once it is touched.
    pub fn map(bytes: usize, backing: Backing) -> Result<Self, Error> {
        let size_error = Error::Size { bytes };
        let Some(rounded) = round_up_to_huge(bytes).filter(|&rounded| rounded > 0) else {
            return Err(size_error);
        };
        // A guard before and behind, of one huge page at least after aligning.
        let Some(held_bytes) = rounded.checked_add(3 * HUGE_PAGE_BYTES) else {
            return Err(size_error);
        };
        let map_error = |source| Error::Map {
            bytes: rounded,
            source,
        };
        if backing == Backing::Pool {
            return Self::from_pool(rounded);
        }
        let held_start = reserve(held_bytes).map_err(map_error)?;
        let offset = held_start.align_offset(HUGE_PAGE_BYTES) + HUGE_PAGE_BYTES;
        let region = Self {
            held: held_start.addr()..held_start.addr() + held_bytes,
            start: held_start.wrapping_add(offset),
            bytes: rounded,
            backing,
        };
        region
            .protect(libc::PROT_READ | libc::PROT_WRITE)
            .map_err(map_error)?;
        match backing {
            Backing::Advised => region
                .advise(Advice::Huge)
                .map_err(|source| Error::Advice { source })?,
            // Refused only by a kernel without transparent huge pages: then all pages are small.
            _ => region.advise(Advice::Small).unwrap_or(()),
        }
        Ok(region)
    }

    /// Maps and touches `bytes` in the best way there is: from the pool, else by advice, else on
    /// small pages. Also says why the better ways failed.
    ///
    /// # Errors
    ///
    /// [`Error::Size`], [`Error::Map`] or [`Error::Touch`] if there is not even small memory.
    pub fn best(bytes: usize) -> Result<(Self, Vec<Error>), Error> {
        let mut refusals = Vec::new();
        for backing in [Backing::Pool, Backing::Advised] {
            match Self::map(bytes, backing) {
                Ok(mut region) => {
                    region.touch()?;
                    return Ok((region, refusals));
                }
                Err(refusal) => refusals.push(refusal),
            }
        }
        let mut region = Self::map(bytes, Backing::Small)?;
        region.touch()?;
        Ok((region, refusals))
    }

    /// Touches every page, so that later accesses meet no page fault.
    ///
    /// # Errors
    ///
    /// [`Error::Touch`] if a page cannot be had. Under the limit of a control group a page touched
    /// later could end the process instead.
    pub fn touch(&mut self) -> Result<(), Error> {
        match self.advise(Advice::Populate) {
            // Kernels before 5.14 do not know this advice: touch by hand.
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => {
                self.touch_by_hand();
                Ok(())
            }
            other => other.map_err(|source| Error::Touch {
                bytes: self.bytes,
                source,
            }),
        }
    }

    /// Has the kernel put pages that are there onto huge ones, now.
    ///
    /// # Errors
    ///
    /// [`Error::NoCollapse`] from a kernel before 6.1, [`Error::Collapse`] if it found no huge page.
    pub fn collapse(&self) -> Result<(), Error> {
        self.advise(Advice::Collapse).map_err(|source| {
            // A kernel that knows the advice refuses an aligned anonymous range with other errors.
            if source.raw_os_error() == Some(libc::EINVAL) && !knows_collapse() {
                Error::NoCollapse
            } else {
                Error::Collapse { source }
            }
        })
    }

    /// What pages the kernel gave.
    ///
    /// # Errors
    ///
    /// [`Error::Evidence`] if that cannot be read.
    pub fn granted(&self) -> Result<Granted, Error> {
        Granted::of(self.range())
    }

    /// The addresses.
    pub fn range(&self) -> Range<usize> {
        self.start.addr()..self.start.addr() + self.bytes
    }

    /// The size in bytes, a multiple of 2 MiB.
    pub const fn size_bytes(&self) -> usize {
        self.bytes
    }

    /// What was asked for.
    pub const fn backing(&self) -> Backing {
        self.backing
    }

    /// The first byte's address; the memory is readable and writable for [`Region::size_bytes`].
    pub const fn as_ptr(&self) -> *mut u8 {
        self.start
    }

    /// The bytes.
    #[expect(unsafe_code, reason = "a slice is made of mapped memory")]
    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: `map` made `bytes` of zeroed, readable memory at `start`, which live as long as self.
        unsafe { std::slice::from_raw_parts(self.start, self.bytes) }
    }

    /// The bytes, to be written.
    #[expect(unsafe_code, reason = "a slice is made of mapped memory")]
    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as in `as_slice`; `&mut self` makes this the only reference.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.bytes) }
    }

    /// Moves this region's pages over the mapping at `target`, which they replace, with the
    /// permissions `protection`; no thread ever sees anything between the old and the new.
    ///
    /// # Errors
    ///
    /// What the kernel said; the target is as it was.
    ///
    /// # Safety
    ///
    /// `target` starts a range of [`Region::size_bytes`] that is mapped, whose contents nothing
    /// relies on to stay other than this region's bytes.
    #[expect(
        unsafe_code,
        reason = "pages move over others that Rust knows nothing of"
    )]
    pub unsafe fn move_over(self, target: *mut u8, protection: libc::c_int) -> io::Result<()> {
        self.protect(protection)?;
        let flags = libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED;
        // SAFETY: the source is this region's own, and the caller gives the target away.
        let moved = unsafe {
            libc::mremap(
                self.start.cast(),
                self.bytes,
                self.bytes,
                flags,
                target.cast::<libc::c_void>(),
            )
        };
        if moved == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        // What moved away is no longer held, and another thread may have mapped something there.
        let moved = ManuallyDrop::new(self);
        let range = moved.range();
        unmap(moved.held.start..range.start);
        unmap(range.end..moved.held.end);
        Ok(())
    }

    /// Maps huge pages of the pool and takes them at once. The kernel aligns such a mapping and never
    /// joins it with another, so it needs no guards.
    #[expect(unsafe_code, reason = "std has no wrapper for mmap")]
    fn from_pool(bytes: usize) -> Result<Self, Error> {
        let wanted = bytes / HUGE_PAGE_BYTES;
        let none = || Error::Pool {
            wanted,
            free: settings::free_in_pool(),
        };
        let flags =
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_HUGETLB | libc::MAP_HUGE_2MB;
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: without MAP_FIXED a new mapping touches no other.
        let start = unsafe { libc::mmap(ptr::null_mut(), bytes, protection, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(none());
        }
        let start: *mut u8 = start.cast();
        let region = Self {
            held: start.addr()..start.addr() + bytes,
            start,
            bytes,
            backing: Backing::Pool,
        };
        // A control group may refuse later what the pool has promised, and would do so by SIGBUS.
        match region.advise(Advice::Populate) {
            Err(error) if error.raw_os_error() != Some(libc::EINVAL) => Err(none()),
            _ => Ok(region),
        }
    }

    #[expect(unsafe_code, reason = "std has no wrapper for mprotect")]
    fn protect(&self, protection: libc::c_int) -> io::Result<()> {
        // SAFETY: the range is this region's own, and no slice of it is alive: callers own `self`
        // or are still making it.
        let result = unsafe { libc::mprotect(self.start.cast(), self.bytes, protection) };
        if result == 0 {
            Ok(())
        } else {
            Err(io::Error::last_os_error())
        }
    }

    #[expect(
        unsafe_code,
        reason = "advice is about memory that Rust knows nothing of"
    )]
    fn advise(&self, advice: Advice) -> io::Result<()> {
        // SAFETY: the range is this region's own and writable.
        unsafe { advise(self.start, self.bytes, advice) }
    }

    fn touch_by_hand(&mut self) {
        for page in self.as_mut_slice().chunks_mut(crate::SMALL_PAGE_BYTES) {
            // Black boxes, or the compiler sees that nothing changes and writes nothing.
            page[0] = black_box(page[0]);
            black_box(&mut *page);
        }
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        unmap(self.held.clone());
    }
}

/// Gives back a range that a region holds.
#[expect(unsafe_code, reason = "std has no wrapper for munmap")]
fn unmap(range: Range<usize>) {
    if range.is_empty() {
        return;
    }
    let start = ptr::without_provenance_mut::<libc::c_void>(range.start);
    // SAFETY: only called with what a region mapped and nothing refers to any more.
    unsafe { libc::munmap(start, range.len()) };
}

/// Address space without memory.
#[expect(unsafe_code, reason = "std has no wrapper for mmap")]
fn reserve(bytes: usize) -> io::Result<*mut u8> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: without MAP_FIXED a new mapping touches no other.
    let start = unsafe { libc::mmap(ptr::null_mut(), bytes, libc::PROT_NONE, flags, -1, 0) };
    if start == libc::MAP_FAILED {
        Err(io::Error::last_os_error())
    } else {
        Ok(start.cast())
    }
}

/// Whether the kernel has MADV_COLLAPSE: on no bytes it then has nothing to complain about.
#[expect(
    unsafe_code,
    reason = "advice is about memory that Rust knows nothing of"
)]
fn knows_collapse() -> bool {
    // SAFETY: a range of no bytes holds nothing.
    unsafe { advise(ptr::null_mut(), 0, Advice::Collapse) }.is_ok()
}
