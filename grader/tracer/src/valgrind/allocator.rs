//! Rust's heap on Valgrind's: small blocks from the tool's arena, big ones mapped directly.
//!
//! Big blocks (the models' tables) come straight from the kernel, which zeroes them: a page of a
//! table costs nothing until it is used. Which kind a block is follows from its layout alone, so
//! that freeing needs no record.

#![expect(unsafe_code, reason = "a global allocator is an unsafe trait")]

use super::ffi;
use core::{
    alloc::{GlobalAlloc, Layout},
    ffi::CStr,
    ptr,
};

/// Valgrind's profile of its own heap shows our blocks under this name.
const COST_CENTRE: &CStr = c"tracer";
/// What `VG_(malloc)` promises on amd64. Source: `VG_MIN_MALLOC_SZB` in `pub_tool_mallocfree.h`.
const VALGRIND_ALIGNMENT_BYTES: usize = 16;
/// From here on a block is mapped. Small enough that tables are lazy, big enough that the core's
/// list of mappings stays short.
const MAPPED_FROM_BYTES: usize = 64 << 10;
const PAGE_BYTES: usize = 4096;

/// The allocator of the tool.
struct ValgrindHeap;

#[global_allocator]
static HEAP: ValgrindHeap = ValgrindHeap;

fn is_mapped(layout: Layout) -> bool {
    layout.size() >= MAPPED_FROM_BYTES || layout.align() > VALGRIND_ALIGNMENT_BYTES
}

fn whole_pages(bytes: usize) -> usize {
    bytes.next_multiple_of(PAGE_BYTES)
}

// SAFETY: blocks come from Valgrind's allocators, which exit instead of failing, never hand out
// overlapping blocks, and are only called under Valgrind's big lock.
unsafe impl GlobalAlloc for ValgrindHeap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() > PAGE_BYTES {
            return ptr::null_mut();
        }
        if is_mapped(layout) {
            // SAFETY: any nonzero size is fine.
            return unsafe { ffi::map_zeroed(whole_pages(layout.size())) }.cast();
        }
        // SAFETY: any size is fine.
        unsafe { ffi::malloc(COST_CENTRE.as_ptr(), layout.size()) }.cast()
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: forwards our own contract.
        let block = unsafe { self.alloc(layout) };
        if !is_mapped(layout) && !block.is_null() {
            // SAFETY: `block` is `layout.size()` bytes of ours.
            unsafe { ptr::write_bytes(block, 0, layout.size()) };
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if is_mapped(layout) {
            // SAFETY: `alloc` mapped exactly these pages for this layout.
            let _ = unsafe { ffi::unmap(block.addr() as u64, whole_pages(layout.size())) };
        } else {
            // SAFETY: `alloc` took it from Valgrind's malloc.
            unsafe { ffi::free(block.cast()) };
        }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        let Ok(new_layout) = Layout::from_size_align(new_size, layout.align()) else {
            return ptr::null_mut();
        };
        if !is_mapped(layout) && !is_mapped(new_layout) {
            // SAFETY: `alloc` took it from Valgrind's malloc.
            return unsafe { ffi::realloc(COST_CENTRE.as_ptr(), block.cast(), new_size) }.cast();
        }
        // SAFETY: the caller promises a nonzero `new_size`.
        let moved = unsafe { self.alloc(new_layout) };
        if !moved.is_null() {
            // SAFETY: both blocks are at least this long, and the new one overlaps nothing.
            unsafe { ptr::copy_nonoverlapping(block, moved, layout.size().min(new_size)) };
            // SAFETY: `block` is ours to free; its contents were copied.
            unsafe { self.dealloc(block, layout) };
        }
        moved
    }
}
