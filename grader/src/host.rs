//! The machine below: processes with limits, Ctrl-C, the tools that are installed, the terminal.

pub mod git;
pub mod huge_pages;
pub mod interrupt;
pub mod process;
pub mod terminal;
pub mod tools;
