//! Where the frame of a spawned call comes from: a page of its own, as for a stack.

use std::ptr::NonNull;

use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};

use crate::job::Job;

/// The smallest stack that can be mapped.
const PAGE_BYTES: usize = 4096;

/// One worker's supply of frames.
pub(crate) trait Frames: Default {
    /// A page to put a job in.
    fn allocate(&mut self) -> NonNull<Job>;
    /// Takes a page back that [`allocate`](Self::allocate) gave, and nobody uses any more.
    fn free(&mut self, frame: NonNull<Job>);
}

#[expect(unsafe_code, reason = "the system hands out memory by address")]
fn map() -> NonNull<Job> {
    // SAFETY: a new private mapping at an address of the system's choice touches nothing of ours.
    let page = unsafe {
        mmap_anonymous(
            std::ptr::null_mut(),
            PAGE_BYTES,
            ProtFlags::READ | ProtFlags::WRITE,
            MapFlags::PRIVATE,
        )
    };
    match page.map(NonNull::new) {
        Ok(Some(page)) => page.cast(),
        other => panic!("mapping a page for a spawned call: {other:?}; run with a smaller fib"),
    }
}

#[expect(unsafe_code, reason = "gives memory back by address")]
fn unmap(frame: NonNull<Job>) {
    // SAFETY: the page came from `map`, and whoever frees it holds the last pointer to it.
    let freed = unsafe { munmap(frame.as_ptr().cast(), PAGE_BYTES) };
    debug_assert!(freed.is_ok(), "a page of our own can be unmapped");
}

/// A system call to get a page, one to return it, and a page fault between them.
#[derive(Default)]
pub(crate) struct MappedPages;

impl Frames for MappedPages {
    fn allocate(&mut self) -> NonNull<Job> {
        map()
    }

    fn free(&mut self, frame: NonNull<Job>) {
        unmap(frame);
    }
}

/// Pages are kept when they are freed, and mapped only when none is left.
#[derive(Default)]
pub(crate) struct KeptPages {
    free: Vec<NonNull<Job>>,
}

impl Frames for KeptPages {
    fn allocate(&mut self) -> NonNull<Job> {
        self.free.pop().unwrap_or_else(map)
    }

    fn free(&mut self, frame: NonNull<Job>) {
        self.free.push(frame);
    }
}

impl Drop for KeptPages {
    fn drop(&mut self) {
        self.free.drain(..).for_each(unmap);
    }
}
