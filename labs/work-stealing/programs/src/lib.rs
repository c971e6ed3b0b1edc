//! Five programs.
pub mod fib;
mod fork_join;
pub use fork_join::{Chili, ForkJoin, Magpie, Rayon, Serial};
