//! The models that Cyclewise measures and teaches with.
//!
//! Everything here is pure: no I/O, no clock, no threads, and nothing that only `std` has. The same
//! code therefore runs inside the Valgrind tool, in tests, and in the browser, and gives the same
//! numbers in all three.

#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod footprint;
pub mod pipeline;
pub mod reuse;
pub mod scheduler;
pub mod tlb;
pub mod trace;
