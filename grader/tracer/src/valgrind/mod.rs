//! Valgrind's core behind safe functions. Raw pointers and C strings stay in this folder.

pub(crate) mod allocator;
pub(crate) mod ffi;
pub(crate) mod files;
pub(crate) mod interface;
pub(crate) mod output;
pub(crate) mod process;
mod runtime;
pub(crate) mod symbols;
