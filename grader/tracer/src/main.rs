//! The Valgrind tool behind `grader footprint`, `grader reuse` and `grader tlb`.
//!
//! Valgrind translates the traced program block by block and passes each block here once;
//! [`instrument`] adds code that counts instructions and reports accesses, and from then on only
//! that code runs. The analysis happens in this process, in the models that the book explains;
//! what comes out is one result file of JSON lines (see [`report`]).
//!
//! What a reader may want to open, in this order: [`instrument`] (the generated code), [`filter`]
//! (why most accesses cost seven machine instructions and no call), [`intervals`] (how an interval
//! starts at exactly the instruction it should), [`region`] (one function only), [`translations`]
//! (which accesses a TLB need not be told of), [`pages`] (which pages really are huge).
//!
//! Left out: what Valgrind does not show, that is speculation, prefetching, what hardware
//! page walks read, the kernel's own memory, and loads whose result nothing uses, which VEX drops before a tool sees
//! the block. Threads run one at a time, as Valgrind runs them.

#![no_std]
#![no_main]

extern crate alloc;

mod code;
mod filter;
mod hot;
mod instrument;
mod intervals;
mod ir;
mod kernel;
mod options;
mod pages;
mod records;
mod region;
mod remaps;
mod report;
mod session;
mod shared;
mod sites;
mod trace;
mod translations;
mod valgrind;
