//! The tracer on real programs: against other tools, against what is known, and on bad input.
//!
//! The programs are those of `tests/programs`, compiled here. Everything needs the installed Valgrind.

#![expect(
    clippy::unwrap_used,
    reason = "a test that finds no value has failed, in a function of its own too"
)]

mod command;
mod counts;
mod endings;
mod lackey;
mod listing;
mod loads;
mod pipeline;
mod programs;
mod regions;
mod tlb;
mod tlb_lackey;
mod worked_example;
