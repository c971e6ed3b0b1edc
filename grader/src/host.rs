//! The machine below: processes with limits, its cores, Ctrl-C, the tools that are installed, the terminal.

pub mod git;
pub mod huge_pages;
pub mod interrupt;
pub mod process;
pub mod side_by_side;
pub mod terminal;
pub mod tools;
